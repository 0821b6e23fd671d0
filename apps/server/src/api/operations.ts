import { operations, type KeyState, type Operation } from '@ergon/contract'
import type { Task } from '@ergon/core'
import { done, type HandlersOf } from '../dispatch/handlers.ts'
import { presentPublished, presentPublishedByPerson } from './present/task.ts'

/** What is known of a key; `isHeld` while a call may still write under it. */
export type KeyRecord = {
  readonly operation: string
  readonly state: 'in_flight' | 'written' | 'done'
  readonly isHeld: boolean
  readonly status: number | null
  readonly answer: unknown
  readonly createdAt: Date
}

/** Where calls are found by their key. */
export type KeyLookup = {
  find(identity: string, key: string, operation: string | null): Promise<KeyRecord | null>
  /** A publish keeps its key in the task. */
  published(wallet: string, key: string): Promise<Task | null>
}

type Found = {
  readonly operation: string
  readonly state: KeyState
  readonly status: number | null
  readonly answer: unknown
  readonly at: Date
}

/** What became of a call, by its key (decision 0050). */
export function createOperationHandlers(keys: KeyLookup): HandlersOf<'operations'> {
  return {
    'operations.get': async ({ caller }, { key, operation = null }) => {
      const [record, task] = await Promise.all([
        keys.find(caller.wallet, key, operation),
        operation === null || keepsItsKey(operation) ? keys.published(caller.wallet, key) : null,
      ])
      const published = task === null ? null : publishedAs(task)
      const found = latest(
        record === null ? null : toFound(record),
        operation === null || published?.operation === operation ? published : null,
      )
      if (found === null)
        return done({ key, operation, state: 'not_seen' as const, status: null, answer: null, created_at: null })
      return done({
        key,
        operation: found.operation,
        state: found.state,
        status: found.status,
        answer: found.answer,
        created_at: found.at.toISOString(),
      })
    },
  }
}

/** Such an operation keeps its key in what it makes, not among the calls. */
function keepsItsKey(operation: string): boolean {
  return Object.entries<Operation>(operations).some(([name, { resend }]) => name === operation && resend === 'kept')
}

function toFound({ operation, state, isHeld, status, answer, createdAt: at }: KeyRecord): Found | null {
  if (state === 'done') return { operation, state: 'done', status, answer: bodyOf(answer), at }
  // Nothing was written, and the lease without which nothing can be has lapsed.
  if (state === 'in_flight' && !isHeld) return null
  return { operation, state: isHeld ? 'in_flight' : 'in_doubt', status, answer: null, at }
}

/** A success shows its body, or what it made where that body showed a secret; a refusal shows what was said. */
function bodyOf(answer: unknown): unknown {
  if (typeof answer === 'object' && answer !== null && 'made' in answer) return answer.made
  return typeof answer === 'object' && answer !== null && 'body' in answer ? answer.body : answer
}

/** Agents publish by signing, people through a session (spec §1.4). */
function publishedAs(task: Task): Found {
  const shown =
    task.publisherType === 'human'
      ? { operation: 'h2a.publish', answer: presentPublishedByPerson(task) }
      : { operation: 'tasks.publish', answer: presentPublished(task) }
  return { ...shown, state: 'done', status: 201, at: task.createdAt }
}

function latest(first: Found | null, second: Found | null): Found | null {
  if (first === null || second === null) return first ?? second
  return first.at > second.at ? first : second
}
