import { a2aLimits, a2aStateOf, type A2aTaskState, type A2aViewer } from '@ergon/contract'
import {
  MarketError,
  type Caller,
  type EventFilter,
  type Market,
  type RecordedEvent,
  type Submission,
  type TaskRead,
} from '@ergon/core'
import { presentEvent } from '../present/event.ts'
import { presentTaskRead } from '../present/task.ts'
import { presentSubmission } from '../present/work.ts'

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: Readonly<Record<string, unknown>> }
export type Message = {
  readonly kind: 'message'
  readonly role: 'agent'
  readonly messageId: string
  readonly parts: readonly Part[]
  readonly taskId?: string
  readonly contextId?: string
}
export type Artifact = { readonly artifactId: string; readonly name: string; readonly parts: readonly Part[] }
export type TaskStatus = { readonly state: A2aTaskState; readonly timestamp: string; readonly message: Message }
/** A Task of the protocol. Its context is itself: nothing else belongs to it. */
export type TaskObject = {
  readonly kind: 'task'
  readonly id: string
  readonly contextId: string
  readonly status: TaskStatus
  readonly artifacts?: readonly Artifact[]
  readonly history?: readonly Message[]
}

type Reads = Pick<Market, 'readTask' | 'submissions' | 'events'>
/** What a caller is to a task: what it may see follows from it. */
export type Standing = {
  readonly task: TaskRead
  readonly viewer: A2aViewer
  readonly submissions: readonly Submission[] | null
}

/** Reads a task for a caller; submissions are null for who is no party. @throws TASK_NOT_FOUND, TASK_GONE, FORBIDDEN */
export async function standingOf(market: Reads, caller: Caller, taskId: string): Promise<Standing> {
  const task = await market.readTask(caller, taskId)
  if (caller.kind === 'anonymous') return { task, viewer: 'other', submissions: null }
  const isPublisher = caller.wallet === task.publisherWallet
  return {
    task,
    viewer: isPublisher ? 'publisher' : 'other',
    submissions: isPublisher || task.executorId !== null ? await submissionsFor(market, caller, taskId) : null,
  }
}

/** The same for what carries no evidence: it does not count as the publisher's reading of it. */
export async function standingUnread(market: Reads, caller: Caller, taskId: string): Promise<Standing> {
  const task = await market.readTask(caller, taskId)
  return caller.kind === 'wallet' && caller.wallet === task.publisherWallet
    ? { task, viewer: 'publisher', submissions: [] }
    : standingOf(market, caller, taskId)
}

/** Null for who is no party of the task. */
export async function submissionsFor(
  market: Pick<Reads, 'submissions'>,
  caller: Exclude<Caller, { kind: 'anonymous' }>,
  taskId: string,
): Promise<readonly Submission[] | null> {
  try {
    return await market.submissions(caller, taskId)
  } catch (error) {
    if (error instanceof MarketError && error.code === 'FORBIDDEN') return null // another worker's task
    throw error
  }
}

export async function readTaskObject(
  market: Reads,
  caller: Caller,
  taskId: string,
  historyLength: number,
): Promise<TaskObject> {
  const standing = await standingOf(market, caller, taskId)
  const history =
    historyLength === 0
      ? undefined
      : await historyOf(market, caller, standing, Math.min(historyLength, a2aLimits.historyMax))
  return { ...taskObject(standing), ...(history === undefined ? {} : { history }) }
}

export const a2aStateOfStanding = ({ task, viewer }: Standing): A2aTaskState => a2aStateOf(task.status, viewer)

export function taskObject({ task, viewer, submissions }: Standing, said?: readonly Part[]): TaskObject {
  const parts = said ?? [
    { kind: 'text', text: `${task.title}: ${task.status}.` },
    { kind: 'data', data: { task: presentTaskRead(task) } },
  ]
  const status = statusOf(
    task.id,
    a2aStateOf(task.status, viewer),
    task.updatedAt,
    `${task.id}.${String(task.updatedAt.getTime())}`,
    parts,
  )
  return {
    kind: 'task',
    id: task.id,
    contextId: task.id,
    status,
    ...(submissions === null || submissions.length === 0 ? {} : { artifacts: submissions.map(artifactOf) }),
  }
}

/** The same task, saying one thing more. */
export function withPart(task: TaskObject, part: Part): TaskObject {
  const { message } = task.status
  return { ...task, status: { ...task.status, message: { ...message, parts: [...message.parts, part] } } }
}

export function statusOf(
  taskId: string,
  state: A2aTaskState,
  at: Date,
  messageId: string,
  parts: readonly Part[],
): TaskStatus {
  return {
    state,
    timestamp: at.toISOString(),
    message: { kind: 'message', role: 'agent', messageId, taskId, contextId: taskId, parts },
  }
}

export function artifactOf(submission: Submission): Artifact {
  return {
    artifactId: submission.id,
    name: 'submission',
    parts: [{ kind: 'data', data: { submission: presentSubmission(submission) } }],
  }
}

/**
 * The publisher reads its own feed of the task. Whoever else follows it may become a party of it, or be one no longer:
 * beside what is public it hears what each event is addressed to it.
 */
export function filterFor({ task, viewer }: Standing): EventFilter {
  return {
    scope: viewer === 'publisher' ? 'mine' : 'heard',
    types: null,
    taskId: task.id,
    category: null,
  }
}

export function eventMessage(event: RecordedEvent, taskId: string): Message {
  return {
    kind: 'message',
    role: 'agent',
    messageId: event.id,
    taskId,
    contextId: taskId,
    parts: [{ kind: 'data', data: { ...presentEvent(event) } }],
  }
}

const page = 500

async function historyOf(
  market: Reads,
  caller: Caller,
  standing: Standing,
  length: number,
): Promise<readonly Message[]> {
  const { events } = await market.events(caller, filterFor(standing), null, page)
  return events.slice(-length).map((event) => eventMessage(event, standing.task.id))
}
