/* The operations of a counter, in terms of the variant's counter_add(), counter_sum() and counter_read(). */

static noinline void add(void* state, void* object, unsigned int amount) { counter_add(state, object, (int)amount); }

static noinline void sub(void* state, void* object, unsigned int amount) { counter_add(state, object, -(int)amount); }

static noinline void run_work(void* state, void* object, unsigned int amount) {
  (void)state, (void)object, (void)amount;
}

static noinline void run_flush(void* state, void* unused, unsigned int ignored) {
  struct driver* driver = this_driver((struct family_state*)state);
  struct counter* counter = driver->object;

  (void)unused, (void)ignored;
  driver->sum = counter_sum(state, counter);
}

static noinline void run_read(void* state, void* unused, unsigned int ignored) {
  struct driver* driver = this_driver((struct family_state*)state);
  struct counter* counter = driver->object;

  (void)unused, (void)ignored;
  driver->reading = counter_read(state, counter);
}

static const struct reference_operation all[] = {
    {"add", add}, {"sub", sub}, {"work", run_work}, {"flush", run_flush}, {"read", run_read}, {NULL, NULL},
};
REGISTER_REFERENCE("percpu-counter", VARIANT)
