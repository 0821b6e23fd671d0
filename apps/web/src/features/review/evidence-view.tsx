import type { ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import { pictureTypes } from '@ergon/contract/facts'
import type { Output } from '@ergon/sdk'
import { Failure } from '../../components/failure.tsx'
import { Hashes } from '../../components/hashes.tsx'
import { Card, Empty, Facts, Loading, Note } from '../../components/surface.tsx'
import { useFormat } from '../../lib/format.ts'
import { coordinatesOf } from '../../lib/geo.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useRead } from '../../lib/market.tsx'
import { ownLink } from '../../lib/service-address.ts'
import { webLink } from '../../lib/web-link.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { wordMessages } from '../../messages/words.ts'
import { inOrderOfLooking } from './evidence-order.ts'
import { FileEvidence } from './file-evidence.tsx'
import { readFix } from './fix.ts'
import { reviewMessages } from './messages.ts'

type Entry = Output<'submissions.evidence'>['evidence'][number]

/**
 * Links are short-lived, a quarter of an hour; whoever looks for longer opens a file by a fresh one. Asked for at every
 * look they would load every picture anew.
 */
export const evidenceReading = { staleTime: 120_000, refetchInterval: 600_000 } as const

/** What was handed in, for the two sides. */
export function EvidenceView({ submissionId }: { readonly submissionId: string }): ReactNode {
  return <EvidenceSection {...useRead('submissions.evidence', { submission_id: submissionId }, evidenceReading)} />
}

type EvidenceSectionProps = {
  readonly data: Output<'submissions.evidence'> | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
  readonly children?: ReactNode
}

/** Pictures large, words in full, files and links to open. */
export function EvidenceSection({ data, error, refetch, children }: EvidenceSectionProps): ReactNode {
  const format = useFormat()
  const say = useMessages(reviewMessages)
  const common = useMessages(commonMessages)
  return (
    <section aria-labelledby="evidence" className="grid gap-4">
      <h2 id="evidence">{say('evidence')}</h2>
      {children}
      {error !== null && (
        <Failure
          error={error}
          retry={() => {
            refetch()
          }}
        />
      )}
      {data === undefined && error === null && <Loading says={common('loading')} />}
      {data !== undefined && data.taken_down !== null && (
        <Note title={say('takenDown')}>
          <p>{say('takenDownHelp', { at: format.dateTime(data.taken_down.at) })}</p>
          <Hashes taken={data.taken_down} />
        </Note>
      )}
      {data?.evidence.length === 0 && data.taken_down === null && <Empty title={say('noEvidence')} />}
      {inOrderOfLooking(data?.evidence ?? []).map((entry) => (
        <EvidenceCard key={entry.type} entry={entry} />
      ))}
    </section>
  )
}

function EvidenceCard({ entry }: { readonly entry: Entry }): ReactNode {
  const words = useMessages(wordMessages)
  // The service answers with the types of its own list.
  const title = words(`evidence.${entry.type as EvidenceType}`)
  return (
    <Card as="article" className="grid gap-3">
      <h3>{title}</h3>
      {entry.kind === 'file' ? (
        <FileEvidence url={fileLink(entry)} title={title} isPicture={pictureTypes.has(entry.type)} />
      ) : (
        <ValueEvidence value={entry.value} />
      )}
    </Card>
  )
}

/** A store on the service's own disk says its links without the host. */
function fileLink({ url, value }: Entry): string | undefined {
  const said = url ?? value
  if (typeof said !== 'string') return undefined
  const href = webLink(URL.parse(said, location.origin)?.href)
  return href === undefined ? undefined : ownLink(href)
}

function ValueEvidence({ value }: { readonly value: unknown }): ReactNode {
  const say = useMessages(reviewMessages)
  const format = useFormat()
  const fix = readFix(value)
  const link = typeof value === 'string' ? webLink(value) : undefined
  if (fix !== undefined) {
    return (
      <Facts
        rows={[
          [say('position'), coordinatesOf(fix)],
          [say('accuracy'), fix.accuracyM === undefined ? say('accuracyUnknown') : format.distance(fix.accuracyM)],
          ...(fix.at === undefined ? [] : [[say('at'), format.dateTime(fix.at)] as const]),
        ]}
      />
    )
  }
  if (link !== undefined)
    return (
      <a href={link} target="_blank" rel="noreferrer noopener" className="link break-all">
        {link}
      </a>
    )
  if (typeof value === 'string') return <p className="max-w-prose wrap-anywhere whitespace-pre-line">{value}</p>
  return (
    <pre tabIndex={0} className="max-h-96 overflow-auto rounded-lg bg-sunken p-3 text-sm">
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}
