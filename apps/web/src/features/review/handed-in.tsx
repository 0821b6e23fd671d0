import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Loading, Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { useOperatorRead } from '../../lib/operator.tsx'
import { commonMessages } from '../../messages/common-messages.ts'
import { CheckList } from './check-list.tsx'
import { EvidenceSection, evidenceReading } from './evidence-view.tsx'
import { reviewMessages } from './messages.ts'

const checksMs = 5_000

/**
 * What whoever decides a dispute sees of the work: the evidence, the note of the worker, and every check with its
 * reason.
 */
export function HandedIn({ submissionId }: { readonly submissionId: string }): ReactNode {
  const say = useMessages(reviewMessages)
  const common = useMessages(commonMessages)
  const evidence = useOperatorRead('submissions.evidence', { submission_id: submissionId }, evidenceReading)
  const {
    data: submission,
    error,
    refetch,
  } = useOperatorRead(
    'submissions.get',
    { submission_id: submissionId },
    { ...evidenceReading, refetchInterval: ({ state }) => (state.data?.verification === 'pending' ? checksMs : false) },
  )
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
              void refetch()
            }}
          />
        ))}
    </>
  )
}
