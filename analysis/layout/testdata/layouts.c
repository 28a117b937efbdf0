// Every construct of a C struct that the layout readers must know. Compiled by build.sh; never linked into hitmark.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct list {
  struct list *next, *prev;
};

typedef struct {
  int counter;
} counter_t;

struct simple {
  u8 lock;
  u8 nr_pages[7];
  struct group *cached[7];
  struct list work;
  unsigned long flags;
  u8 drain_idx;
};

struct holes {
  char a;
  int b;
  char c;
  long d;
  short e;
};

struct bits {
  u32 a : 3;
  u32 b : 5;
  u32 : 8;
  u32 c : 16;
  u16 d : 1;
  u64 e : 40;
  u8 tail;
  u8 f : 2;
};

struct nested {
  u32 id;
  union {
    struct {
      u32 low, high;
    };
    u64 whole;
    struct {
      u8 kind;
      u64 value;
    } named;
  };
  struct {
    u8 x;
    u16 y;
  } pairs[2];
  struct list list;
  counter_t counter;
  u32 after;
};

struct pointers {
  const char *name;
  char *const fixed;
  const char *const *table;
  volatile int flag;
  int *restrict only;
  int (*probe)(struct list *, const char *, unsigned long);
  void (*stop)(void);
  const char *(*title)(int, ...);
  void (*nested)(void (*)(int), char **);
  int (*array)[4];
};

enum mode { MODE_OFF, MODE_ON = 7 };

struct enums {
  enum mode mode;
  enum { RED, GREEN = 5, BLUE_AS_THE_SKY } colour;
};

struct aligned {
  u8 first;
  long second __attribute__((aligned(64)));
  long third;
} __attribute__((aligned(64)));

struct __attribute__((packed)) packed {
  u8 a;
  u64 b;
  u16 c;
};

struct flexible {
  u32 count;
  u64 entries[];
};

struct large {
  u8 head[100];
  struct holes inside;
  u8 rest[90];
};

struct empty {};

union choice {
  u8 byte;
  u64 word;
  struct {
    u8 bytes[12];
    u8 last;
  } more;
};

struct simple use_simple;
struct holes use_holes;
struct bits use_bits;
struct nested use_nested;
struct pointers use_pointers = {0};
struct enums use_enums;
struct aligned use_aligned;
struct packed use_packed;
struct flexible use_flexible;
struct large use_large;
struct empty use_empty;
union choice use_choice;
