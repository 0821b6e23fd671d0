import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { Loading, Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { useOperatorRead } from '../../lib/operator.tsx'
import { readOnce } from '../../lib/read-once.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { CheckList } from './check-list.tsx'
import { EvidenceSection, evidenceReading } from './evidence-view.tsx'
import { reviewMessages } from './messages.ts'

const checksMs = 5_000

type Part<T> = { readonly data: T | undefined; readonly error: Error | null; readonly refetch: () => unknown }
type WorkProps = {
  readonly evidence: Part<Output<'submissions.evidence'>>
  readonly submission: Part<Output<'submissions.get'>>
}

/** The work as the operator reads it, with the key of the deployment. */
export function HandedIn({ submissionId }: { readonly submissionId: string }): ReactNode {
  const input = { submission_id: submissionId }
  return (
    <WorkToJudge
      evidence={useOperatorRead('submissions.evidence', input, evidenceReading)}
      submission={useOperatorRead('submissions.get', input, {
        ...evidenceReading,
        refetchInterval: ({ state }) => (state.data?.verification === 'pending' ? checksMs : false),
      })}
    />
  )
}

/** The same for an arbiter, as the wallet that is signed in (decision 0168). */
export function HandedInForArbiter({ submissionId }: { readonly submissionId: string }): ReactNode {
  const input = { submission_id: submissionId }
  return (
    <WorkToJudge
      evidence={useRead('submissions.evidence', input, readOnce)}
      submission={useRead('submissions.get', input, readOnce)}
    />
  )
}

/**
 * What whoever decides a dispute sees of the work: the evidence, the note of the worker, and every check with its
 * reason.
 */
function WorkToJudge({ evidence, submission: { data: submission, error, refetch } }: WorkProps): ReactNode {
  const say = useMessages(reviewMessages)
  const common = useMessages(commonMessages)
  return (
    <>
      <EvidenceSection {...evidence}>
        {evidence.data?.evidence.some(({ kind }) => kind === 'file') === true && (
          <p className="max-w-prose text-sm text-quiet">{say('asUploaded')}</p>
        )}
      </EvidenceSection>
      {submission !== undefined && submission.notes !== null && submission.notes !== '' && (
        <Note title={say('notes')}>
          <p className="wrap-anywhere whitespace-pre-line">{submission.notes}</p>
        </Note>
      )}
      {submission !== undefined && <CheckList submission={submission} />}
      {submission === undefined &&
        (error === null ? (
          <Loading says={common('loading')} />
        ) : (
          <Failure
            error={error}
            retry={() => {
              refetch()
            }}
          />
        ))}
    </>
  )
}
