import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { Card } from '../../components/surface.tsx'
import { useToast } from '../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../lib/form.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { showIn } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { statementMessages } from './statement-messages.ts'

type Draft = { readonly statement: string; readonly links: string }
const empty: Draft = { statement: '', links: '' }

/** What one side has to say, with links, while the dispute is open. */
export function AddStatement({ disputeId }: { readonly disputeId: string }): ReactNode {
  const say = useMessages(statementMessages)
  const tell = useToast()
  const [draft, change, forget] = useDraft<Draft>(`statement.${disputeId}`, empty)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const add = useChange('disputes.addEvidence', ['disputes.get', 'disputes.list', 'events.list'])
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const show = showIn(form, setFaults)
    const links = draft.links
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    const input = { dispute_id: disputeId, statement: draft.statement.trim(), ...(links.length === 0 ? {} : { links }) }
    const found = faultsOf('disputes.addEvidence', input)
    show(found)
    if (Object.keys(found).length > 0) return
    add.mutate(input, {
      onSuccess: () => {
        forget()
        tell(say('added'))
      },
      onError: (error) => {
        show(faultsSaid(error))
      },
    })
  }
  return (
    <Card as="section" className="grid gap-4">
      <h2>{say('add')}</h2>
      <form noValidate onSubmit={send} className="grid gap-4">
        <TextAreaField
          label={say('statement')}
          hint={say('help')}
          required
          value={draft.statement}
          onChange={(event) => change({ statement: event.target.value })}
          error={faultOf('statement')}
        />
        <TextAreaField
          label={say('links')}
          hint={say('linksHelp')}
          rows={2}
          inputMode="url"
          spellCheck={false}
          value={draft.links}
          onChange={(event) => change({ links: event.target.value })}
          error={faultOf('links')}
        />
        {add.error !== null && <Failure error={add.error} />}
        <div>
          <Button kind="primary" type="submit" busy={add.isPending}>
            {say('send')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
