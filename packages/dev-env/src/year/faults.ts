import { setTimeout as pause } from 'node:timers/promises'
import { strikeBlow } from '../storm/blows.ts'
import type { Stage } from '../storm/stage/stage.ts'
import type { Probes } from './watch-probes.ts'

export type YearFault = {
  /** For the table: what happens. */
  readonly what: string
  /** Brings it about and is over when it is. */
  readonly strike: (stage: Stage, clock: Clocks, probes: Probes) => Promise<void>
  /** What a server has to say of itself meanwhile, in its probe: any of these. None: whatever it says is right. */
  readonly isSaid?: readonly string[]
  /** Nothing may be under way when it happens: its jobs begin after it. */
  readonly isQuiet?: true
}

/** Processes whose clock is moved, by name, in milliseconds ahead; read when a process starts. */
export type Clocks = Map<string, number>

const kill =
  (name: string): YearFault['strike'] =>
  (stage) =>
    strikeBlow(stage, { atMs: 0, kind: 'kill', target: name, lastsMs: 0 })

const silence =
  (name: string): YearFault['strike'] =>
  async (stage) => {
    stage.members.get(name)?.lines.db.silence()
    await pause(1_000)
  }

export type FaultName =
  | 'kill-server-a'
  | 'kill-server-b'
  | 'kill-facilitator-a'
  | 'kill-facilitator-b'
  | 'restart-database'
  | 'crash-database'
  | 'freeze-database'
  | 'silent-server'
  | 'silent-facilitator'
  | 'frozen-chain'
  | 'full-disk'
  | 'moved-clock'
  | 'restored-backup'

/** One fault of a year at a time, in the order in which they come: what takes longest to recover from comes first. */
export const yearFaults: Readonly<Record<FaultName, YearFault>> = {
  'kill-facilitator-a': { what: 'kill -9 of a facilitator', strike: kill('facilitator-a') },
  'kill-facilitator-b': { what: 'kill -9 of the other', strike: kill('facilitator-b') },
  'silent-facilitator': {
    what: "a facilitator's connections to PostgreSQL die in silence",
    strike: silence('facilitator-a'),
  },
  'restart-database': { what: 'PostgreSQL stopped and started', strike: (stage) => stage.database.crash('SIGINT') },
  'crash-database': { what: 'kill -9 of PostgreSQL', strike: (stage) => stage.database.crash('SIGKILL') },
  'freeze-database': {
    what: 'PostgreSQL is paused for 10 s',
    strike: (stage) => stage.database.freeze(10_000),
    isSaid: ['database_silent'],
  },
  'full-disk': {
    what: 'no file of PostgreSQL takes a byte for 4 s',
    strike: (stage) => stage.database.fill(4_000),
  },
  'kill-server-a': { what: 'kill -9 of a server', strike: kill('server-a') },
  'kill-server-b': { what: 'kill -9 of the other', strike: kill('server-b') },
  'silent-server': { what: "a server's connections to PostgreSQL die in silence", strike: silence('server-a') },
  'frozen-chain': {
    what: 'the node is paused for 6 s',
    strike: (stage) => strikeBlow(stage, { atMs: 0, kind: 'freeze', target: 'chain', lastsMs: 6_000 }),
  },
  'moved-clock': {
    what: 'a server ten minutes fast',
    strike: async (stage, clocks, probes) => {
      const fast = stage.members.get('server-b')?.process
      clocks.set('server-b', 600_000)
      await fast?.kill()
      await Promise.all([pause(8_000), probes.until('clock_far_off', 30_000)])
      clocks.delete('server-b')
      await fast?.kill()
    },
    isSaid: ['clock_far_off'],
  },
  'restored-backup': {
    what: "the server's database put back to a copy",
    strike: async (stage) => {
      const restore = await stage.database.backup('ergon')
      await restore()
    },
    isQuiet: true,
  },
}
