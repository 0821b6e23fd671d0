export type Wish = {
  readonly from: number
  readonly to: number
  readonly json: boolean
  readonly workers: number
  /** One seed: its whole trace is printed. */
  readonly single: boolean
  readonly mutants: boolean
  readonly mutant: string | undefined
  readonly realSignatures: boolean
  readonly first: number | undefined
  readonly without: readonly number[]
  readonly out: string | undefined
  /** So many seeds have their steps in turns. */
  readonly abreast: number
  /** Prints each seed's trace as a digest. */
  readonly digests: boolean
}

const usage =
  'npm run simulate -- [--seed N | --seeds A..B] [--workers N] [--json] [--mutants [--out FILE]] [--mutant NAME] [--faults N] [--without I,J] [--real-signatures] [--digests [--abreast N]]'

function whole(name: string, text: string | undefined): number {
  const value = Number(text)
  if (text === undefined || !Number.isSafeInteger(value) || value < 0)
    throw new Error(`${name} takes a whole number\n${usage}`)
  return value
}

/** What the command line asks for. @throws Error naming what it does not understand */
export function readArguments(given: readonly string[]): Wish {
  const wish = {
    from: 1,
    to: 1_000,
    json: false,
    workers: 1,
    single: false,
    mutants: false,
    mutant: undefined as string | undefined,
    realSignatures: false,
    first: undefined as number | undefined,
    without: [] as readonly number[],
    out: undefined as string | undefined,
    abreast: 1,
    digests: false,
  }
  const rest = [...given]
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    switch (name) {
      case '--seed': {
        const seed = whole(name, rest.shift())
        Object.assign(wish, { from: seed, to: seed, single: true })
        break
      }
      case '--seeds': {
        const [from, to] = (rest.shift() ?? '').split('..')
        Object.assign(wish, { from: whole(name, from), to: whole(name, to) })
        break
      }
      case '--json':
        wish.json = true
        break
      case '--workers':
        wish.workers = Math.max(1, whole(name, rest.shift()))
        break
      case '--mutants':
        wish.mutants = true
        break
      case '--mutant':
        wish.mutant = rest.shift()
        break
      case '--real-signatures':
        wish.realSignatures = true
        break
      case '--faults':
        wish.first = whole(name, rest.shift())
        break
      case '--without':
        wish.without = (rest.shift() ?? '').split(',').map((one) => whole('--without', one))
        break
      case '--abreast':
        wish.abreast = Math.max(1, whole(name, rest.shift()))
        break
      case '--digests':
        wish.digests = true
        break
      case '--out':
        wish.out = rest.shift()
        break
      default:
        throw new Error(`unknown option ${name}\n${usage}`)
    }
  }
  return wish
}
