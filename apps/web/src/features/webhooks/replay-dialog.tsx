import { useState, type FormEvent, type ReactNode } from 'react'
import { webhookLimits as limits } from '@ergon/contract'
import type { Input } from '@ergon/sdk'
import { Button } from '../../components/button.tsx'
import { Copyable } from '../../components/copyable.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { Note } from '../../components/surface.tsx'
import { faultsOf, faultsSaid, type FieldFaults } from '../../lib/form.ts'
import { useFormat } from '../../lib/format.ts'
import { useMessages } from '../../lib/i18n.tsx'
import { useChange } from '../../lib/market.tsx'
import { showIn } from '../../lib/show-faults.ts'
import { useFaultTexts } from '../../lib/use-fault-texts.ts'
import { commonMessages } from '../../messages/common-messages.ts'
import { webhookMessages } from './messages.ts'
import { emptyReplay, replayFields, type ReplayDraft } from './replay-range.ts'

type DialogProps = { readonly webhookId: string; readonly open: boolean; readonly onClose: () => void }

/** Sends a part of the feed again: between two moments, or since a cursor, as many times as there is more. */
export function ReplayDialog(props: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <Dialog open={props.open} title={say('replayTitle')} onClose={props.onClose}>
      <ReplayForm {...props} />
    </Dialog>
  )
}

function ReplayForm({ webhookId, onClose }: DialogProps): ReactNode {
  const say = useMessages(webhookMessages)
  const common = useMessages(commonMessages)
  const format = useFormat()
  const [draft, setDraft] = useState(emptyReplay)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts(faults)
  const replay = useChange('webhooks.replay', ['webhooks.deliveries'])
  const done = replay.data
  const change = (part: Partial<ReplayDraft>): void => {
    setDraft((known) => ({ ...known, ...part }))
    // What was sent was another range.
    if (done !== undefined) replay.reset()
  }
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = {
      ...replayFields(webhookId, draft),
      ...(done?.has_more === true ? { since: done.next_cursor } : {}),
    }
    const show = showIn(form, setFaults)
    const found = faultsOf('webhooks.replay', fields)
    show(found)
    // `faultsOf` held the fields against the schema of the operation.
    if (Object.keys(found).length === 0)
      replay.mutateAsync(fields as Input<'webhooks.replay'>).catch((error: unknown) => {
        show(faultsSaid(error))
      })
  }
  return (
    <form noValidate className="grid gap-4" onSubmit={send}>
      <p>{say('replaySays', { most: format.number(limits.replayMax) })}</p>
      <SelectField
        label={say('by')}
        value={draft.by}
        onChange={({ target }) => change({ by: target.value === 'cursor' ? 'cursor' : 'time' })}
      >
        <option value="time">{say('byTime')}</option>
        <option value="cursor">{say('byCursor')}</option>
      </SelectField>
      <RangeFields draft={draft} faultOf={faultOf} change={change} />
      <div role="status" className="empty:hidden">
        {done !== undefined && (
          <Note tone="good" title={say('replayed', { n: done.queued })}>
            <p>{say(done.has_more ? 'replayMore' : 'replayAll')}</p>
          </Note>
        )}
      </div>
      {done !== undefined && <EndedAt cursor={done.next_cursor} />}
      {replay.error !== null && <Failure error={replay.error} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{common(done === undefined ? 'cancel' : 'close')}</Button>
        {(done === undefined || done.has_more) && (
          <Button type="submit" kind="primary" busy={replay.isPending}>
            {say(done === undefined ? 'replayNow' : 'replayOn')}
          </Button>
        )}
      </div>
    </form>
  )
}

type RangeFieldsProps = {
  readonly draft: ReplayDraft
  readonly faultOf: (field: string) => string | undefined
  readonly change: (part: Partial<ReplayDraft>) => void
}

/** Two moments, or a cursor. */
function RangeFields({ draft, faultOf, change }: RangeFieldsProps): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <>
      {draft.by === 'time' ? (
        <div className="grid gap-4">
          <TextField
            label={say('from')}
            type="datetime-local"
            required
            value={draft.from}
            error={faultOf('from')}
            onChange={({ target }) => change({ from: target.value })}
          />
          <TextField
            label={say('to')}
            hint={say('toHint')}
            type="datetime-local"
            value={draft.to}
            error={faultOf('to')}
            onChange={({ target }) => change({ to: target.value })}
          />
        </div>
      ) : (
        <TextField
          label={say('since')}
          hint={say('sinceHint')}
          required
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          value={draft.since}
          error={faultOf('since')}
          onChange={({ target }) => change({ since: target.value })}
        />
      )}
    </>
  )
}

function EndedAt({ cursor }: { readonly cursor: string }): ReactNode {
  const say = useMessages(webhookMessages)
  return (
    <div className="grid gap-1">
      <p className="text-sm font-semibold">{say('endedAt')}</p>
      <Copyable text={cursor} label={say('endedAt')} />
    </div>
  )
}
