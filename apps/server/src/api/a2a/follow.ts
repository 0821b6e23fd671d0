import { a2aStateAfter, a2aStateOf, isA2aFinal, type A2aTaskState } from '@ergon/contract'
import type { Caller, EventPlace, Market, RecordedEvent } from '@ergon/core'
import type { Step } from '../../dispatch/a2a-answers.ts'
import { presentEvent } from '../present/event.ts'
import type { Stays } from '../stays.ts'
import {
  artifactOf,
  filterFor,
  standingOf,
  submissionsFor,
  statusOf,
  taskObject,
  withPart,
  type Artifact,
  type Part,
  type Standing,
  type TaskStatus,
} from './task-object.ts'

export type StatusUpdate = {
  readonly kind: 'status-update'
  readonly taskId: string
  readonly contextId: string
  readonly status: TaskStatus
  readonly final: boolean
}
export type ArtifactUpdate = {
  readonly kind: 'artifact-update'
  readonly taskId: string
  readonly contextId: string
  readonly artifact: Artifact
  readonly lastChunk: true
}
export type FollowDeps = {
  readonly market: Pick<Market, 'readTask' | 'submissions' | 'events' | 'eventHorizon'>
  /** Calls back at each event of a task; must not block. */
  readonly onTask: (taskId: string, heard: () => void) => Disposable
  /** Whether the reader may be told more. */
  readonly stays: Stays
}

/** Who follows which task, from where on, and what is said beside the task at first. */
export type Followed = {
  readonly caller: Caller
  readonly taskId: string
  readonly from: EventPlace | null
  readonly said: readonly Part[]
}

const pageSize = 100
const keepAliveMs = 15_000
/** How long a reader who comes back waits for the end of a task that is over. */
const endMs = 3_000

/** A task as it is, then what happens to it, until it is over or the reader leaves. The reader sets the pace. */
export async function* followTask(
  { market, onTask, stays }: FollowDeps,
  { caller, taskId, from, said }: Followed,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const bell = createBell(signal)
  using _heard = onTask(taskId, bell.ring)
  let place = from ?? (await market.eventHorizon())
  const standing = await standingOf(market, caller, taskId)
  let state = a2aStateOf(standing.task.status, standing.viewer)
  // A place that no answer gave is refused before the stream begins.
  if (from !== null) await market.events(caller, filterFor(standing), from, 1)
  yield { place, update: said.reduce(withPart, taskObject(standing)) }
  // Who reconnects hears first what it missed, the end included.
  if (isA2aFinal(state) && from === null) return
  let endsBy: number | undefined
  for (let isOver = false; !isOver && !signal.aborted && (await stays());) {
    const page = await market.events(caller, filterFor(standing), place, pageSize)
    const states = page.events.map((event) => (state = stateAfter(event, standing, state)))
    const isFinal = isA2aFinal(state) && !page.hasMore
    const hasWaited = endsBy !== undefined && performance.now() >= endsBy
    isOver = isFinal && (hasWaited || page.events.some(({ type }) => isEnd(type, standing)))
    for (const [index, event] of page.events.entries()) {
      const isLast = isOver && index === page.events.length - 1
      for (const update of await updatesOf(market, caller, standing, event, states[index] ?? state, isLast))
        yield { place: event.place, update }
    }
    place = page.place
    if (isOver || page.hasMore) continue
    if (isFinal) {
      // The task is over, and its end is not in the stream: it was told before, or another write holds it up a moment.
      // What is heard meanwhile may be what came before it.
      endsBy ??= performance.now() + endMs
      await bell.heard(Math.max(1, endsBy - performance.now()))
      continue
    }
    if (!(await bell.heard(keepAliveMs)) && !signal.aborted) yield null
  }
}

/**
 * What the task as it was read knew already moves nothing back: the stream may say again what stood before its horizon.
 */
export function stateAfter(event: RecordedEvent, { task, viewer }: Standing, before: A2aTaskState): A2aTaskState {
  const status = event.at <= task.updatedAt ? undefined : a2aStateAfter[event.type]
  return status === undefined ? before : a2aStateOf(status, viewer)
}

function isEnd(type: RecordedEvent['type'], { viewer }: Standing): boolean {
  const status = a2aStateAfter[type]
  return status !== undefined && isA2aFinal(a2aStateOf(status, viewer))
}

async function updatesOf(
  market: FollowDeps['market'],
  caller: Caller,
  { task }: Standing,
  event: RecordedEvent,
  state: A2aTaskState,
  final: boolean,
): Promise<readonly (StatusUpdate | ArtifactUpdate)[]> {
  const about = { taskId: task.id, contextId: task.id }
  const status: StatusUpdate = {
    kind: 'status-update',
    ...about,
    status: statusOf(task.id, state, event.at, event.id, [{ kind: 'data', data: { ...presentEvent(event) } }]),
    final,
  }
  if (event.type !== 'submission.received' || caller.kind === 'anonymous') return [status]
  // Asked now: whoever began to follow as an applicant may be the worker by then.
  const submissions = await submissionsFor(market, caller, task.id)
  const submission = submissions?.find((one) => one.id === event.data['submission_id'])
  return submission === undefined
    ? [status]
    : [{ kind: 'artifact-update', ...about, artifact: artifactOf(submission), lastChunk: true }, status]
}

/** Rings that come while nobody waits are kept as one. */
function createBell(signal: AbortSignal): { readonly ring: () => void; heard(ms: number): Promise<boolean> } {
  let hasRung = false
  let wake = (): void => undefined
  return {
    ring: () => {
      hasRung = true
      wake()
    },
    async heard(ms) {
      if (!hasRung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(limit)
            signal.removeEventListener('abort', done)
            resolve()
          }
          const limit = setTimeout(done, ms)
          signal.addEventListener('abort', done)
          wake = done
        })
      }
      const heard = hasRung
      hasRung = false
      return heard
    },
  }
}
