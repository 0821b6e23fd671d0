import type { ReactNode } from 'react'
import type { EvidenceType } from '@ergon/contract'
import type { Output } from '@ergon/sdk'
import { evidenceIcon } from '../../components/evidence-icon.ts'
import { Icon } from '../../components/icon.tsx'
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
    <section className="grid gap-3">
      <h2>{say('proof')}</h2>
      <ul className="card rows py-1">
        {task.evidence_required.map((type) => (
          <Asked key={type} type={type} isRequired />
        ))}
        {task.evidence_optional.map((type) => (
          <Asked key={type} type={type} isRequired={false} />
        ))}
      </ul>
      <details>
        <summary className="link inline-flex min-h-11 items-center">{say('checked')}</summary>
        <ul className="grid list-disc gap-2 pt-2 pl-5 text-sm marker:text-brand">
          {checks.map((kind) => (
            <li key={kind}>{evidence(`check.${kind}`)}</li>
          ))}
        </ul>
      </details>
    </section>
  )
}

function Asked({ type, isRequired }: { readonly type: EvidenceType; readonly isRequired: boolean }): ReactNode {
  const say = useMessages(taskMessages)
  const word = useMessages(wordMessages)
  const evidence = useMessages(evidenceMessages)
  return (
    <li className="flex flex-wrap gap-x-3.5 gap-y-1">
      <Icon name={evidenceIcon(type)} className="mt-0.5 text-[1.35rem]" />
      <span className="grid min-w-0 grow basis-24 gap-0.5">
        <span className="font-label">{word(`evidence.${type}`)}</span>
        <span className="text-sm text-quiet">{evidence(type)}</span>
      </span>
      <span className="flex-none text-sm text-quiet">{say(isRequired ? 'required' : 'optional')}</span>
    </li>
  )
}
