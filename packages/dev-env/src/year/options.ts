import { parseArgs } from 'node:util'
import { yearFaults, type FaultName } from './faults.ts'

export type YearOptions = {
  /** Jobs whose rows are written by SQL. */
  readonly history: number
  /** Jobs done under load, before anything breaks. */
  readonly load: number
  /** Jobs beside each fault. */
  readonly beside: number
  readonly faults: readonly FaultName[]
  readonly seed: number
  /** When everything is over, in seconds from the start; what was not reached by then has failed. */
  readonly seconds: number
  /** How long what is held up by a fault may take after it, seconds. */
  readonly patience: number
  /** Whether a fault waits until the jobs of the one before have ended. Those of a short year overlap. */
  readonly isUnhurried: boolean
}
export type YearCommand = YearOptions & { readonly json: boolean; readonly help: boolean }

const long = { history: 100_000, load: 120, beside: 6, seconds: 870, patience: 90, isUnhurried: true }
const short = { history: 5_000, load: 18, beside: 4, seconds: 240, patience: 90, isUnhurried: false }

export const yearUsage = `npm run year -- [options]

  --short        three to four minutes instead of fifteen: faults follow one another closely, on
                 ${String(short.history)} jobs of history instead of ${String(long.history)}
  --history N    jobs whose rows are written by SQL
  --load N       jobs done before anything breaks
  --beside N     jobs done beside each fault
  --faults A,B   these alone, of: ${Object.keys(yearFaults).join(', ')}
  --seed N       chooses the jobs (default 1)
  --json         the report as one line of JSON, the last one
  --help         print this`

/** @throws with a message for the reader when an option is unknown or its value is. */
export function readYearOptions(args: readonly string[]): YearCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      history: { type: 'string' },
      load: { type: 'string' },
      beside: { type: 'string' },
      faults: { type: 'string' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const size = values.short ? short : long
  return {
    ...size,
    history: whole('history', values.history ?? String(size.history)),
    load: whole('load', values.load ?? String(size.load)),
    beside: whole('beside', values.beside ?? String(size.beside)),
    faults: faultsIn(values.faults),
    seed: whole('seed', values.seed),
    json: values.json,
    help: values.help,
  }
}

function faultsIn(words: string | undefined): readonly FaultName[] {
  const known = Object.keys(yearFaults) as readonly FaultName[] // the keys of a literal
  if (words === undefined) return known
  return words
    .split(',')
    .filter((word) => word !== '')
    .map((word) => {
      const name = known.find((one) => one === word)
      if (name === undefined) throw new Error(`--faults does not know ${word}; it knows ${known.join(', ')}`)
      return name
    })
}

function whole(name: string, word: string): number {
  if (!/^\d{1,7}$/.test(word)) throw new Error(`--${name} takes a whole number below ten million`)
  return Number(word)
}
