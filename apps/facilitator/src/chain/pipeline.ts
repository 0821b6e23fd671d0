import { notSent, pending, Refusal } from '../errors.ts'
import { delay } from '../surroundings/surroundings.ts'
import { queue, type Draft, type Queued, type Ticket } from './draft.ts'
import { prepare, type PrepareDeps, type Prepared } from './prepare.ts'
import { recognise, type RecogniseDeps } from './recognise.ts'
import { writeIntents, type WriteDeps } from './write-intents.ts'

export type Pipeline = {
  submit(draft: Draft): Ticket
  /** How many are not yet begun with. */
  waiting(): number
  stop(): Promise<void>
}
export type PipelineDeps = PrepareDeps & RecogniseDeps & WriteDeps

/** The loop's state: it alone hands out the account's nonces. */
type Line = {
  readonly deps: PipelineDeps
  waiting: Queued[]
  /** Conflict keys of what is being prepared or followed. */
  readonly busy: Set<string>
  /** Grows with each batch written, so that what was known before is asked again. */
  epoch: number
  nextNonce: number | undefined
  refusals: number
  sending: Promise<void>
  running: Promise<void> | undefined
  dirty: boolean
  stopped: boolean
}

const maxBatch = 64
const maxQueue = 2_000
const maxFailedWrites = 5
const costlyBlockMs = 5
const maxGatherMs = 10

/**
 * Turns drafts into mined transactions in batches: look up what is already known, simulate, sign, write the intents,
 * then hand the batch to the tracker while the next one is being prepared.
 */
export function createPipeline(deps: PipelineDeps): Pipeline {
  const line: Line = {
    deps,
    waiting: [],
    busy: new Set(),
    epoch: 0,
    nextNonce: undefined,
    refusals: 0,
    sending: Promise.resolve(),
    running: undefined,
    dirty: false,
    stopped: false,
  }
  return {
    submit: (draft) => submit(line, draft),
    waiting: () => line.waiting.length,
    async stop() {
      halt(line, 'the facilitator is stopping')
      await line.running
      await line.sending
    },
  }
}

function submit(line: Line, draft: Draft): Ticket {
  const { item, outcome } = queue(draft)
  if (line.stopped || line.waiting.length >= maxQueue) item.reject(notSent('too many settlements are waiting'))
  else line.waiting.push(item)
  wake(line)
  return {
    outcome,
    transaction: () =>
      item.intentId === undefined ? undefined : line.deps.tracker.find(item.intentId)?.intent.transactions.at(-1)?.hash,
    cancel() {
      if (item.started) return false
      line.waiting = line.waiting.filter((other) => other !== item)
      return true
    },
  }
}

function halt(line: Line, reason: string): void {
  line.stopped = true
  for (const item of line.waiting) item.reject(notSent(reason))
  line.waiting = []
}

function wake(line: Line): void {
  line.dirty = true
  if (line.running !== undefined || line.stopped || line.waiting.length === 0) return
  line.running = run(line)
    .catch((error: unknown) => {
      line.deps.onTrouble('the settlement loop failed', error)
    })
    .finally(() => {
      line.running = undefined
      if (line.dirty) wake(line)
    })
}

async function run(line: Line): Promise<void> {
  while (!line.stopped) {
    // What arrives in one turn of the event loop travels together.
    await line.deps.surroundings.turn()
    await gather(line)
    line.dirty = false
    await lookUp(
      line,
      line.waiting.filter((item) => item.seenAt !== line.epoch),
    )
    const batch = takeBatch(line)
    if (batch.length > 0) await settle(line, batch)
    else if (!isDirty(line) && line.waiting.every((item) => item.seenAt === line.epoch)) return
  }
}

/**
 * A development node computes each block over its whole state. Once that costs more than a round trip, fewer and fuller
 * blocks beat preparing ahead: the batch in flight is waited for, and a moment more for those who were waiting on it.
 */
async function gather(line: Line): Promise<void> {
  const blockCostMs = line.deps.tracker.blockCostMs()
  if (blockCostMs < costlyBlockMs) return
  await line.sending
  await delay(line.deps.surroundings, Math.min(maxGatherMs, blockCostMs / 2))
}

// A call, because the flag changes while the loop awaits and the compiler cannot see that.
function isDirty(line: Line): boolean {
  return line.dirty
}

async function lookUp(line: Line, unseen: readonly Queued[]): Promise<void> {
  if (unseen.length === 0) return
  try {
    const answered = await recognise(line.deps, unseen, line.epoch)
    line.waiting = line.waiting.filter((item) => !answered.has(item))
  } catch (error) {
    const failed = new Set(unseen)
    for (const item of failed) item.reject(error)
    line.waiting = line.waiting.filter((item) => !failed.has(item))
  }
}

function takeBatch(line: Line): Queued[] {
  const batch: Queued[] = []
  for (const item of line.waiting) {
    if (batch.length === maxBatch) break
    if (item.seenAt !== line.epoch || item.keys.some((key) => line.busy.has(key))) continue
    for (const key of item.keys) line.busy.add(key)
    item.started = true
    batch.push(item)
  }
  line.waiting = line.waiting.filter((item) => !item.started)
  return batch
}

async function settle(line: Line, batch: readonly Queued[]): Promise<void> {
  const { tracker } = line.deps
  let prepared: Prepared
  try {
    // With nothing in flight the chain knows best: the key may have been used elsewhere. After a refusal it alone
    // knows.
    const isCertain = tracker.live() > 0 && tracker.refusals() === line.refusals
    line.refusals = tracker.refusals()
    const held = tracker.heldNonces()
    const known = isCertain ? line.nextNonce : undefined
    prepared = await prepare(line.deps, batch, {
      known,
      floor: tracker.nonceFloor(),
      isHeld: (nonce) => held.has(nonce),
    })
  } catch (error) {
    for (const item of batch) {
      item.reject(error instanceof Refusal ? error : notSent('the chain node does not answer', error))
      free(line, item)
    }
    return
  }
  const refused = new Set(prepared.refused)
  for (const item of refused) free(line, item)
  await write(
    line,
    prepared,
    batch.filter((item) => !refused.has(item)),
  )
}

async function write(line: Line, { intents, nextNonce }: Prepared, items: readonly Queued[]): Promise<void> {
  if (intents.length === 0) return
  const written = await writeIntents(line.deps, intents, () => line.stopped)
  switch (written) {
    case 'written':
      line.nextNonce = nextNonce
      line.epoch += 1
      await send(line, intents, items)
      return
    case 'conflict':
    case 'void':
      retry(line, items)
      return
    case 'fenced':
      for (const item of items) {
        item.reject(notSent('another facilitator has taken over'))
        free(line, item)
      }
      halt(line, 'another facilitator has taken over')
      return
    case 'unknown':
      for (const item of items) {
        item.reject(pending())
        free(line, item)
      }
  }
}

async function send(line: Line, intents: Prepared['intents'], items: readonly Queued[]): Promise<void> {
  const { tracker } = line.deps
  // The batch before is still being mined; this one is ready the moment it is done.
  await line.sending
  line.sending = tracker.send(intents)
  for (const item of items) {
    const known = item.intentId === undefined ? undefined : tracker.find(item.intentId)
    known?.outcome.then((outcome) => {
      item.resolve(outcome)
      free(line, item)
    }, item.reject)
  }
}

/** Nothing of the batch was written. What stood in its way is found when they are looked up again. */
function retry(line: Line, items: readonly Queued[]): void {
  const again = items.filter((item) => item.failedWrites + 1 < maxFailedWrites)
  for (const item of items) {
    item.failedWrites += 1
    item.intentId = undefined
    if (item.failedWrites >= maxFailedWrites) item.reject(notSent('the settlement could not be written'))
    item.started = false
    item.seenAt = -1
  }
  line.waiting = [...again, ...line.waiting]
  for (const item of items) free(line, item)
}

function free(line: Line, item: Queued): void {
  for (const key of item.keys) line.busy.delete(key)
  wake(line)
}
