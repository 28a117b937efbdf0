-- The store of hitmark's runs, schema 2 (PRAGMA user_version). Append-only: one transaction per block.
-- run > condition > invocation > block > slice; look at harness/results/sample.hpp for the meaning of each
-- column. Start with the view `cost`:
--   sqlite3 FILE 'SELECT condition, arm, SUM(ticks) * 1.0 / SUM(operations) FROM cost GROUP BY 1, 2'
-- Integers are signed here: a count of 2^63 and more shows as negative. Seeds are decimal text.

CREATE TABLE run (
  id INTEGER PRIMARY KEY,            -- in the order in which the runs began
  run_id TEXT NOT NULL UNIQUE,
  started TEXT NOT NULL,             -- ISO 8601, UTC
  family TEXT NOT NULL,
  machine TEXT NOT NULL,             -- 'native' or the name of a simulated machine
  seed TEXT NOT NULL,
  status TEXT NOT NULL,              -- 'running', 'complete', 'interrupted'
  ticks_per_second REAL NOT NULL,    -- of the clock behind slice.ticks; 0: not known
  invocations INTEGER NOT NULL,      -- planned
  blocks INTEGER NOT NULL,           -- planned, per condition and invocation
  wall_seconds REAL NOT NULL
);

CREATE TABLE arm (
  run INTEGER NOT NULL REFERENCES run (id),
  arm INTEGER NOT NULL,              -- 0 is the baseline
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('baseline', 'variant', 'null:same', 'null:copy', 'empty')),
  variant TEXT NOT NULL,             -- '' for the empty arm
  PRIMARY KEY (run, arm)
) WITHOUT ROWID;

CREATE TABLE arm_trait (
  run INTEGER NOT NULL, arm INTEGER NOT NULL, number INTEGER NOT NULL,
  aspect TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, arm, number), FOREIGN KEY (run, arm) REFERENCES arm (run, arm)
) WITHOUT ROWID;

CREATE TABLE condition (
  run INTEGER NOT NULL REFERENCES run (id),
  condition INTEGER NOT NULL,
  name TEXT NOT NULL,
  placement TEXT NOT NULL,           -- as asked for
  relation TEXT NOT NULL,            -- as resolved
  home TEXT NOT NULL,                -- as resolved
  PRIMARY KEY (run, condition)
) WITHOUT ROWID;

CREATE TABLE condition_cpu (
  run INTEGER NOT NULL, condition INTEGER NOT NULL, number INTEGER NOT NULL,
  cpu INTEGER NOT NULL,              -- OS number
  PRIMARY KEY (run, condition, number), FOREIGN KEY (run, condition) REFERENCES condition (run, condition)
) WITHOUT ROWID;

CREATE TABLE condition_value (
  run INTEGER NOT NULL, condition INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('workload', 'note')),
  number INTEGER NOT NULL,
  name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, condition, kind, number), FOREIGN KEY (run, condition) REFERENCES condition (run, condition)
) WITHOUT ROWID;

CREATE TABLE environment (
  run INTEGER NOT NULL REFERENCES run (id), number INTEGER NOT NULL,
  name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE TABLE warning (
  run INTEGER NOT NULL REFERENCES run (id), number INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE TABLE block (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL, condition INTEGER NOT NULL,
  invocation INTEGER NOT NULL,       -- process, 0-based
  block INTEGER NOT NULL,            -- 0-based within condition and invocation
  seed TEXT NOT NULL,
  discarded TEXT NOT NULL,           -- '' or why the block must not be used
  UNIQUE (run, condition, invocation, block),
  FOREIGN KEY (run, condition) REFERENCES condition (run, condition)
);

CREATE TABLE slice (
  block INTEGER NOT NULL REFERENCES block (id),
  number INTEGER NOT NULL,
  arm INTEGER NOT NULL,
  position INTEGER NOT NULL,         -- in the block, 0-based
  cpu INTEGER NOT NULL,              -- OS number
  operations INTEGER NOT NULL,
  ticks INTEGER NOT NULL,            -- of the operations alone, events excluded
  nanoseconds INTEGER NOT NULL,      -- the same by the wall clock
  event_clock INTEGER NOT NULL,      -- operations of this arm on this CPU before the slice
  phase INTEGER NOT NULL,            -- 0 none, 1 accumulating, 2 saturated
  PRIMARY KEY (block, number)
) WITHOUT ROWID;

CREATE TABLE reading (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run (id),
  block INTEGER REFERENCES block (id),  -- NULL: of the run as a whole
  event TEXT NOT NULL, source TEXT NOT NULL, unit TEXT NOT NULL,
  cpu INTEGER NOT NULL,              -- OS number; -1: all CPUs of the trial
  arm INTEGER NOT NULL,              -- -1: the whole block
  value REAL,                        -- NULL exactly when it could not be measured
  quality TEXT NOT NULL CHECK (quality IN ('exact', 'scaled', 'sampled', 'modelled', 'unavailable')),
  reason TEXT NOT NULL, hint TEXT NOT NULL,
  CHECK ((value IS NULL) = (quality = 'unavailable'))
);
CREATE INDEX reading_of_block ON reading (block);
CREATE INDEX reading_of_run ON reading (run) WHERE block IS NULL;

CREATE VIEW cost AS
SELECT run.run_id, run.machine, condition.name AS condition, block.invocation, block.block, block.discarded,
       arm.name AS arm, slice.position, slice.cpu, slice.operations, slice.ticks, slice.nanoseconds,
       slice.event_clock,
       CASE slice.phase WHEN 0 THEN 'none' WHEN 1 THEN 'accumulating' WHEN 2 THEN 'saturated' END AS phase
FROM run
JOIN condition ON condition.run = run.id
JOIN block ON block.run = run.id AND block.condition = condition.condition
JOIN slice ON slice.block = block.id
JOIN arm ON arm.run = run.id AND arm.arm = slice.arm;

-- Since schema 2. What a reading is about, where it is told by memory: a simulated machine tells transfers and
-- invalidations by object and field. An older store gets what follows when a run is appended to it.
CREATE TABLE reading_place (
  reading INTEGER PRIMARY KEY REFERENCES reading (id),
  object TEXT NOT NULL,              -- arena object: 'vmstats[g0.m0]'
  field TEXT NOT NULL                -- of its type: 'stats_updates'; '' where no field is known
);
