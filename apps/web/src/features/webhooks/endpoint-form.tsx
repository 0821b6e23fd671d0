import { useState, type FormEvent, type ReactNode } from 'react'
import { events, webhookLimits as limits } from '@ergon/contract'
import { CheckField, TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../lib/form.ts'
import { FormEnd } from '../../components/form-end.tsx'
import { useMessages } from '../../lib/i18n.tsx'
import { showIn } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import type { Endpoint } from './endpoint-card.tsx'
import { createFields, draftOf, emptyEndpoint, updateFields, type EndpointDraft } from './endpoint-draft.ts'
import { useEventName } from './event-name.ts'
import { webhookMessages } from './messages.ts'

const topics = Object.keys(events)

type FormProps = {
  /** The endpoint to change; a new one when left out. */
  readonly endpoint?: Endpoint
  readonly busy: boolean
  /** What is refused is thrown, so that the field it names can say so. */
  readonly send: (fields: Readonly<Record<string, unknown>>) => Promise<void>
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Where an endpoint leads and what it gets. */
export function EndpointForm({ endpoint, busy, send, onClose, children }: FormProps): ReactNode {
  const say = useMessages(webhookMessages)
  const common = useMessages(commonMessages)
  const [empty] = useState(() => (endpoint === undefined ? emptyEndpoint : draftOf(endpoint)))
  const [draft, change, forget] = useDraft(
    endpoint === undefined ? 'webhook' : `webhook.${endpoint.webhook_id}.${endpoint.updated_at}`,
    empty,
  )
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const eventsFault = faultOf('events')
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = endpoint === undefined ? createFields(draft) : updateFields(endpoint, draft)
    const show = showIn(form, setFaults)
    const found = faultsOf(endpoint === undefined ? 'webhooks.create' : 'webhooks.update', fields)
    show(found)
    if (Object.keys(found).length === 0)
      send(fields).then(forget, (error: unknown) => {
        show(faultsSaid(error))
      })
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <TextField
        label={say('url')}
        hint={say('urlHint')}
        error={faultOf('url')}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        value={draft.url}
        onChange={({ target }) => change({ url: target.value })}
      />
      {endpoint !== undefined && draft.url.trim() !== endpoint.url && (
        <Note tone="warn" role="status">
          <p>{say('urlMoved')}</p>
        </Note>
      )}
      <TextField
        label={`${say('description')} (${common('optional')})`}
        hint={say('descriptionHint')}
        maxLength={limits.descriptionMax}
        error={faultOf('description')}
        value={draft.description}
        onChange={({ target }) => change({ description: target.value })}
      />
      <EventChoice draft={draft} change={change} eventsFault={eventsFault} />
      {children}
      <FormEnd onCancel={onClose} busy={busy}>
        {endpoint === undefined ? say('create') : common('save')}
      </FormEnd>
    </form>
  )
}

type EventChoiceProps = {
  readonly draft: EndpointDraft
  readonly change: (part: Partial<EndpointDraft>) => void
  readonly eventsFault: string | undefined
}

/** Every event, or those that are chosen. */
function EventChoice({ draft, change, eventsFault }: EventChoiceProps): ReactNode {
  const say = useMessages(webhookMessages)
  const nameOf = useEventName()
  return (
    <fieldset className="grid gap-1">
      <legend className="font-semibold">{say('events')}</legend>
      <CheckField label={say('all')} checked={draft.all} onChange={({ target }) => change({ all: target.checked })} />
      {!draft.all && (
        <div role="group" aria-label={say('eventsHint')} className="grid items-start gap-x-4 gap-y-1 sm:grid-cols-2">
          {topics.map((one, at) => (
            <CheckField
              key={one}
              aria-invalid={at === 0 && eventsFault !== undefined ? true : undefined}
              checked={draft.events.includes(one)}
              onChange={({ target }) => {
                change({
                  events: target.checked ? [...draft.events, one] : draft.events.filter((had) => had !== one),
                })
              }}
              label={
                <span className="grid">
                  <span>{nameOf(one)}</span>
                  <span className="font-mono text-sm text-quiet">{one}</span>
                </span>
              }
            />
          ))}
        </div>
      )}
      {eventsFault !== undefined && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {eventsFault}
        </p>
      )}
    </fieldset>
  )
}
