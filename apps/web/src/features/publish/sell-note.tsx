import type { ReactNode } from 'react'
import { sellIntent } from '@ergon/contract/facts'
import { CheckField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { publishMessages } from './messages.ts'
import type { FormPart } from './draft.ts'

/** Warns of words that read like an offer, and takes the publisher's word that it is none (spec §1.7). */
export function SellNote({ draft, change }: Pick<FormPart, 'draft' | 'change'>): ReactNode {
  const say = useMessages(publishMessages)
  const intent = sellIntent(draft.title, draft.instructions)
  if (intent === 'none') return null
  return (
    <Note tone="warn" role="status" title={say('maySell')}>
      <p>{say('maySellHint')}</p>
      {intent === 'sure' && (
        <CheckField
          label={say('insists')}
          checked={draft.insists === true}
          onChange={({ target }) => {
            change({ insists: target.checked })
          }}
        />
      )}
    </Note>
  )
}
