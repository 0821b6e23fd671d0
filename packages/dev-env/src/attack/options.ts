import { parseArgs } from 'node:util'

export type AttackOptions = {
  /** Classes whose names hold one of these words; empty means all. */
  readonly only: readonly string[]
  /** The data folder of an instance that runs; undefined starts one. */
  readonly running: string | undefined
  readonly json: boolean
  readonly help: boolean
}

export const attackUsage = `npm run attack -- [options]

  --only A,B     classes whose names hold one of these words (default: all)
  --running DIR  attacks the local instance that runs on this data folder (npm start keeps .ergon) instead of one of
                 its own; classes that need settings of their own are left out, and the day budgets of that
                 instance are spent
  --json         prints {"tried", "stopped", "classes"} as the last line
  --help         print this`

/** @throws with a message for the reader when an option is unknown or its value is. */
export function readAttackOptions(args: readonly string[]): AttackOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      running: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    only: values.only.split(',').filter((word) => word !== ''),
    running: values.running,
    json: values.json,
    help: values.help,
  }
}
