import { useRef, useState } from 'react'
import { ErgonError } from '@ergon/sdk'
import { useChange } from '../../../lib/market.tsx'
import { emptyDraft, policyInput, publishInput } from '../draft.ts'
import type { ReadTask } from './read-tasks.ts'
import { rowKeys } from './row-keys.ts'

export type RowState =
  | { readonly state: 'posting' }
  /** `hasPolicy`: what happens after the work is handed in was saved too. */
  | { readonly state: 'posted'; readonly taskId: string; readonly hasPolicy: boolean }
  | { readonly state: 'refused'; readonly error: unknown }
type Progress = ReadonlyMap<number, RowState>

export type PublishMany = {
  /** By the line of the file. */
  readonly progress: Progress
  readonly isRunning: boolean
  /** What stopped it; going on begins with the row that it stopped at. */
  readonly error: unknown
  readonly run: (tasks: readonly ReadTask[], batch: string) => Promise<void>
  readonly stop: () => void
}

/** Refusals of this one row; after any other failure the next row would fail as well. */
const ofTheRow: ReadonlySet<number> = new Set([400, 409, 422])

/** Posts one row after another, each under its own key: what was posted already is answered, and not posted again. */
export function usePublishMany(): PublishMany {
  const publish = useChange('h2a.publish', ['h2a.list', 'tasks.list', 'tasks.available'])
  const policy = useChange('tasks.setPolicy')
  const [progress, setProgress] = useState<Progress>(new Map())
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>()
  const stopped = useRef(false)
  const note = (line: number, state: RowState | undefined): void => {
    setProgress((known) => {
      const next = new Map(known)
      if (state === undefined) next.delete(line)
      else next.set(line, state)
      return next
    })
  }
  const post = async ({ line, fields }: ReadTask, key: string): Promise<void> => {
    note(line, { state: 'posting' })
    try {
      const { id } = await publish.mutateAsync({ ...publishInput(fields), idempotency_key: key })
      // Whoever applied in between counts on the task as it was.
      const hasPolicy = await policy.mutateAsync({ task_id: id, ...policyInput(emptyDraft) }).then(
        () => true,
        () => false,
      )
      note(line, { state: 'posted', taskId: id, hasPolicy })
    } catch (failure) {
      const isOfRow = failure instanceof ErgonError && !failure.retryable && ofTheRow.has(failure.status)
      note(line, isOfRow ? { state: 'refused', error: failure } : undefined)
      if (!isOfRow) throw failure
    }
  }
  const run = async (tasks: readonly ReadTask[], batch: string): Promise<void> => {
    stopped.current = false
    setError(undefined)
    setRunning(true)
    const keys = rowKeys(tasks, batch)
    try {
      for (const [place, task] of tasks.entries()) {
        if (stopped.current) break
        if (progress.get(task.line)?.state !== 'posted') await post(task, keys[place] ?? '')
      }
    } catch (failure) {
      setError(failure)
    } finally {
      setRunning(false)
    }
  }
  const stop = (): void => {
    stopped.current = true
  }
  return { progress, isRunning, error, run, stop }
}
