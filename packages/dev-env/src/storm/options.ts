import { parseArgs } from 'node:util'
import { fateKinds } from './aim.ts'
import { blowKinds } from './blows.ts'

export type StormOptions = {
  readonly jobs: number
  readonly seconds: number
  readonly seed: number
  /** `lose`, `kill@server`, `lose@intents-insert`; empty means everything. */
  readonly faults: readonly string[]
  readonly json: boolean
  readonly help: boolean
}

export const stormUsage = `npm run storm -- [options]

  --jobs N      how many jobs are done (default 60)
  --seconds N   how long things go wrong (default 120); what is under way may end after it, for two minutes at most
  --seed N      chooses jobs, faults and their times (default 1)
  --faults A,B  these alone, of: ${[...fateKinds, ...blowKinds].join(', ')};
                with @ and a part of a name, there alone: lose@intents-insert, kill@facilitator
  --json        the report as one line of JSON, the last one
  --help        print this`

const kinds: readonly string[] = [...fateKinds, ...blowKinds]
const bounds = { jobs: 5_000, seconds: 3_600, seed: 2 ** 32 - 1 } as const

/** @throws with a message for the reader when an option is unknown or its value is. */
export function readStormOptions(args: readonly string[]): StormOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      jobs: { type: 'string', default: '60' },
      seconds: { type: 'string', default: '120' },
      seed: { type: 'string', default: '1' },
      faults: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const faults = values.faults.split(',').filter((word) => word !== '')
  const unknown = faults.find((word) => !kinds.includes(word.split('@')[0] ?? ''))
  if (unknown !== undefined) throw new Error(`--faults does not know ${unknown}; it knows ${kinds.join(', ')}`)
  return {
    jobs: whole('jobs', values.jobs),
    seconds: whole('seconds', values.seconds),
    seed: whole('seed', values.seed),
    faults,
    json: values.json,
    help: values.help,
  }
}

function whole(name: keyof typeof bounds, word: string): number {
  const value = Number(word)
  if (!/^\d+$/.test(word) || value > bounds[name])
    throw new Error(`--${name} takes a whole number up to ${String(bounds[name])}`)
  return value
}
