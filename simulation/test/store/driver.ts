import { MarketError, type Store, type Tx } from '@ergon/core'
import type { Bed } from './bed.ts'

/** One thing a process asks of the store, told apart by its name. */
export type Ask<T> = { readonly name: string; readonly run: (of: T) => Promise<unknown> }

/** What a process does next: something by itself, or a step of its transaction. */
export type Step =
  | { readonly kind: 'ask'; readonly ask: Ask<Store> }
  | { readonly kind: 'begin' }
  | { readonly kind: 'in'; readonly ask: Ask<Tx> }
  | { readonly kind: 'commit' }
  | { readonly kind: 'throw' }

/** What a step and those before it that waited came to. */
export type Told = {
  readonly process: number
  readonly step: string
  readonly answers: readonly (readonly [number, unknown])[]
  readonly blocked: readonly number[]
}

type Command = { readonly ask: Ask<Tx> | 'commit' | 'throw'; readonly answer: (outcome: unknown) => void }

/** Takes the steps of several processes in an order of one's own; a step that waits for a lock is gone on from. */
export type Driver = {
  take(process: number, step: Step): Promise<Told>
  /** Whether the process waits for an answer. */
  isBusy(process: number): boolean
  isIn(process: number): boolean
}

export function createDriver(bed: Bed): Driver {
  const lines = bed.stores.map((store) => createLine(store))
  const busy = (): readonly number[] => lines.flatMap((line, at) => (line.isBusy() ? [at] : []))
  return {
    isBusy: (process) => lines[process]?.isBusy() ?? false,
    isIn: (process) => lines[process]?.isIn() ?? false,
    async take(process, step) {
      const answers: [number, unknown][] = []
      lines.forEach((line, at) => line.onAnswer((outcome) => answers.push([at, outcome])))
      lines[process]?.take(step)
      const blocked = await bed.blocked(busy)
      return {
        process,
        step: step.kind === 'ask' || step.kind === 'in' ? step.ask.name : step.kind,
        answers: answers.toSorted(([one], [other]) => one - other),
        blocked,
      }
    },
  }
}

type Line = {
  take(step: Step): void
  isBusy(): boolean
  isIn(): boolean
  onAnswer(hear: (outcome: unknown) => void): void
}

class Undone extends Error {}

/** On PostgreSQL an act without an answer is not waited for (0264): the question after it hears what became of it. */
async function heard(tx: Tx, act: Promise<unknown>): Promise<unknown> {
  const answer = await act
  await tx.escrowPayment('00000000-0000-0000-0000-000000000000')
  return answer
}

function createLine(store: Store): Line {
  let isBusy = false
  let hear: (outcome: unknown) => void = () => undefined
  let command: ((next: Command) => void) | undefined
  const answer = (outcome: unknown): void => {
    isBusy = false
    hear(normal(outcome))
  }
  const settle = (asked: Promise<unknown>): void => void asked.then(answer, (error: unknown) => answer(kindOf(error)))
  const begin = (): void => {
    const ended = store.transaction(async (tx) => {
      answer('begun')
      for (;;) {
        const { ask, answer: tell } = await new Promise<Command>((resolve) => {
          command = resolve
        })
        if (ask === 'commit') return
        if (ask === 'throw') throw new Undone()
        // What failed is not the end: the database refuses what comes after, and what it is asked to commit.
        tell(await heard(tx, ask.run(tx)).catch(kindOf))
      }
    })
    settle(
      ended
        .then(() => 'committed')
        .finally(() => {
          command = undefined
        }),
    )
  }
  return {
    isBusy: () => isBusy,
    isIn: () => command !== undefined,
    onAnswer(next) {
      hear = next
    },
    take(step) {
      isBusy = true
      if (step.kind === 'ask') settle(step.ask.run(store))
      else if (step.kind === 'begin') begin()
      else command?.({ ask: step.kind === 'in' ? step.ask : step.kind, answer })
    },
  }
}

/** Which failure it was, as far as a caller can tell. */
export function kindOf(error: unknown): unknown {
  if (error instanceof Undone) return 'undone'
  if (error instanceof MarketError) return { failed: error.code }
  if (!(error instanceof Error)) throw error
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown }
  return code === undefined
    ? { failed: error.message }
    : { failed: code, ...(constraint === undefined ? {} : { constraint }) }
}

/** Values that both stores write differently: numbers of any size, times, bytes, places, and orders of no meaning. */
export function normal(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value.toString()}n`
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (value instanceof Map) return sortedByText([...(value as Map<unknown, unknown>)].map(normal))
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .filter(([key, one]) => one !== undefined && key !== 'place')
      .map(([key, one]) => [
        key,
        key === 'wallets' && Array.isArray(one) ? [...(one as string[])].sort() : normal(one),
      ]),
  )
}

export function sortedByText(rows: readonly unknown[]): readonly unknown[] {
  return rows
    .map((row) => ({ row, key: JSON.stringify(row) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ row }) => row)
}
