import { useState, type ReactNode } from 'react'
import type { Input } from '@ergon/sdk'
import { Failure } from '../../../components/failure.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { FormEnd } from '../../../components/form-end.tsx'
import { priceMessages } from '../../../components/metered/messages.ts'
import { PersonChip } from '../../../components/person.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../../lib/form.ts'
import { useMessages, useSpeech } from '../../../lib/i18n.tsx'
import { useChange, useRead } from '../../../lib/market.tsx'
import { decimalTyped, numberTyped } from '../../../lib/number-typed.ts'
import { focusFault } from '../../../lib/show-faults.ts'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { useGoOn } from '../../../lib/way-back.ts'
import { sessionMessages } from './session-messages.ts'

const unitsOfTime = ['minute', 'hour', 'second'] as const
type Draft = {
  readonly unit: (typeof unitsOfTime)[number]
  readonly price: string
  readonly cap: string
  readonly hours: string
  readonly note: string
  /** The same terms another time are another session; after a lost answer and a reload they are the same one. */
  readonly ref: string
}
const blank: Draft = { unit: 'minute', price: '', cap: '', hours: '24', note: '', ref: '' }
type FormProps = { readonly workerId: string; readonly onClose: () => void }

/** What a session costs and how long it lasts, agreed before any money moves. */
export function SessionForm({ workerId, onClose }: FormProps): ReactNode {
  const say = useMessages(sessionMessages)
  const units = useMessages(priceMessages)
  const { locale } = useSpeech()
  const goOn = useGoOn()
  const start = useChange('streams.start', ['streams.list'])
  const [draft, change, forget] = useDraft(`session.${workerId}`, blank)
  const [faults, setFaults] = useState<FieldFaults>({})
  const faultOf = useFaultTexts({ ...faults, ...(Object.keys(faults).length === 0 && faultsSaid(start.error)) })
  const set = (part: Partial<Draft>): void => change({ ref: draft.ref || crypto.randomUUID(), ...part })
  const submit = (form: HTMLFormElement): void => {
    const fields = fieldsOf(draft, workerId, locale)
    const found = faultsOf('streams.start', fields)
    setFaults(found)
    if (Object.keys(found).length > 0) {
      focusFault(form)
      return
    }
    // `faultsOf` held the fields against the schema of the operation.
    start.mutate(
      { ...(fields as Input<'streams.start'>), client_ref: draft.ref },
      {
        onSuccess: ({ session_id: id }) => {
          forget()
          void goOn({ to: '/sessions', search: { role: 'buyer', id }, replace: true })
        },
      },
    )
  }
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      <With workerId={workerId} />
      <p>{say('beginLead')}</p>
      {/* Two short ones in a row: the button is in sight on a phone. */}
      <div className="grid grid-cols-2 items-end gap-3">
        <UnitField unit={draft.unit} onChange={(unit) => set({ unit })} />
        <Amount
          label={say('hours')}
          value={draft.hours}
          error={faultOf('hours')}
          onChange={(hours) => set({ hours })}
        />
      </div>
      <Amount
        label={say('price', { unit: units(`unit_${draft.unit}`) })}
        value={draft.price}
        error={faultOf('price_per_unit')}
        onChange={(price) => set({ price })}
      />
      <Amount label={say('cap')} value={draft.cap} error={faultOf('cap_usd')} onChange={(cap) => set({ cap })} />
      <TextField
        label={say('note')}
        hint={say('noteHint')}
        value={draft.note}
        error={faultOf('note')}
        onChange={({ target }) => set({ note: target.value })}
      />
      {start.error !== null && <Failure error={start.error} />}
      <FormEnd onCancel={onClose} busy={start.isPending}>
        {say('begin')}
      </FormEnd>
    </form>
  )
}

/** Nobody agrees to pay without seeing whom. */
function With({ workerId }: { readonly workerId: string }): ReactNode {
  const { data } = useRead('workers.get', { executor_id: workerId }, { staleTime: 600_000 })
  if (data === undefined) return null
  return <PersonChip address={data.wallet_address} name={data.display_name} />
}

type UnitProps = { readonly unit: Draft['unit']; readonly onChange: (unit: Draft['unit']) => void }

function UnitField({ unit: chosen, onChange }: UnitProps): ReactNode {
  const say = useMessages(sessionMessages)
  const units = useMessages(priceMessages)
  return (
    <SelectField
      label={say('unit')}
      value={chosen}
      onChange={({ target }) => {
        onChange(target.value as Draft['unit']) // one of the options below
      }}
    >
      {unitsOfTime.map((unit) => (
        <option key={unit} value={unit}>
          {units(`unit_${unit}`)}
        </option>
      ))}
    </SelectField>
  )
}

type AmountProps = {
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

function Amount({ onChange, ...field }: AmountProps): ReactNode {
  return (
    <TextField
      {...field}
      inputMode="decimal"
      autoComplete="off"
      className="numbers max-w-40"
      onChange={({ target }) => {
        onChange(target.value)
      }}
    />
  )
}

function fieldsOf({ unit, price, cap, hours, note }: Draft, executor_id: string, locale: string) {
  const given = {
    executor_id,
    unit,
    price_per_unit: decimalTyped(price, locale),
    cap_usd: decimalTyped(cap, locale),
    hours: numberTyped(hours, locale),
    note: note.trim(),
  }
  // What was left empty is missing, and not written wrongly.
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined))
}
