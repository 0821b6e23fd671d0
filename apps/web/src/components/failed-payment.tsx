import type { ReactNode } from 'react'
import { useLastPayment } from '../lib/payment-log.ts'
import { useExplanation } from './failure.tsx'
import { Note } from './surface.tsx'
import { Moment } from './time.tsx'

/**
 * What became of the last attempt to set aside or pay, where it failed: whoever left meanwhile, or came back by a
 * reload, reads it beside the same decision.
 */
export function FailedPayment({ taskId, says }: { readonly taskId: string; readonly says: string }): ReactNode {
  const { data: last } = useLastPayment(taskId)
  const hasFailed = last?.status === 'failed' && last.type === 'settle'
  const why = useExplanation(hasFailed ? last.note : null)
  if (!hasFailed) return null
  return (
    <Note tone="warn" role="status" title={says}>
      {why !== undefined && (
        <p>
          {why.says} {why.doNow}
        </p>
      )}
      <p className="text-sm">
        <Moment at={last.timestamp} />
      </p>
    </Note>
  )
}
