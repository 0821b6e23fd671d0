import type { ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { Badge } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { checksOf } from './checks-of.ts'
import { evidenceMessages } from './evidence-messages.ts'
import { taskMessages } from './messages.ts'

/** What has to be handed in, and what will be looked at, before anybody decides to do the work. */
export function Proof({ task }: { readonly task: Output<'tasks.get'> }): ReactNode {
  const say = useMessages(taskMessages)
  const evidence = useMessages(evidenceMessages)
  const checks = checksOf([...task.evidence_required, ...task.evidence_optional], task.area !== null)
  return (
    <>
      <section className="grid gap-3">
        <h2>{say('proof')}</h2>
        <ul className="grid gap-3">
          {task.evidence_required.map((type) => (
            <Asked key={type} type={type} isRequired />
          ))}
          {task.evidence_optional.map((type) => (
            <Asked key={type} type={type} isRequired={false} />
          ))}
        </ul>
      </section>
      <section className="grid gap-3">
        <h2>{say('checked')}</h2>
        <ul className="grid list-disc gap-2 pl-5 marker:text-brand">
          {checks.map((kind) => (
            <li key={kind}>{evidence(`check.${kind}`)}</li>
          ))}
        </ul>
      </section>
    </>
  )
}

function Asked({ type, isRequired }: { readonly type: EvidenceType; readonly isRequired: boolean }): ReactNode {
  const say = useMessages(taskMessages)
  const word = useMessages(wordMessages)
  const evidence = useMessages(evidenceMessages)
  return (
    <li className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">{word(`evidence.${type}`)}</span>
        <Badge tone={isRequired ? 'brand' : 'plain'}>{say(isRequired ? 'required' : 'optional')}</Badge>
      </span>
      <span className="text-quiet">{evidence(type)}</span>
    </li>
  )
}
