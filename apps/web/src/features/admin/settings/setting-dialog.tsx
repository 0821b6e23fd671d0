import { useState, type FormEvent, type ReactNode } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FormEnd } from '../../../components/form-end.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextAreaField, TextField } from '../../../components/field.tsx'
import { useToast } from '../../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../../lib/form.ts'
import { useMessages, useSpeech } from '../../../lib/i18n.tsx'
import { useOperatorChange } from '../../../lib/operator.tsx'
import { focusFault } from '../../../lib/show-faults.ts'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { faultMessages } from '../../../messages/faults.ts'
import { boundsOf, isDollars, isRate, readNumber, type RunSetting, type ValueFault } from './bounds.ts'
import { settingsMessages } from './messages.ts'
import { useSettingTexts } from './use-setting-texts.ts'

type DialogProps = {
  readonly setting: RunSetting | undefined
  readonly settings: readonly RunSetting[]
  readonly isBack: boolean
  readonly onClose: () => void
}
type FormProps = DialogProps & { readonly setting: RunSetting }
type Draft = { readonly value: string; readonly reason: string }
const nobody = { actor: '' }
const empty: Draft = { value: '', reason: '' }

/** Putting one setting elsewhere or back, with a reason (decision 0058). */
export function SettingDialog(props: DialogProps): ReactNode {
  const say = useMessages(settingsMessages)
  const { setting, isBack, onClose } = props
  const title =
    setting === undefined ? '' : say(isBack ? 'dialogBack' : 'dialogChange', { name: say(`name.${setting.key}`) })
  return (
    <Dialog open={setting !== undefined} title={title} onClose={onClose}>
      {setting !== undefined && <SettingForm key={`${setting.key} ${String(isBack)}`} {...props} setting={setting} />}
    </Dialog>
  )
}

function SettingForm({ setting, settings, isBack, onClose }: FormProps): ReactNode {
  const { key, value: standing } = setting
  const say = useMessages(settingsMessages)
  const fault = useMessages(faultMessages)
  const { valueText, boundsText } = useSettingTexts()
  const { locale } = useSpeech()
  const tell = useToast()
  const [draft, change, forget] = useDraft<Draft>(`setting.${key}.${isBack ? 'back' : 'change'}`, empty)
  const [{ actor }, changeActor] = useDraft('operator-name', nobody)
  const [faults, setFaults] = useState<FieldFaults>({})
  const [valueFault, setValueFault] = useState<ValueFault | 'same' | undefined>()
  const faultOf = useFaultTexts(faults)
  const put = useOperatorChange('admin.changeConfig', ['service.config'])
  const bounds = boundsOf(key, settings)
  const isOn = standing === true
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const focus = (): void => {
      focusFault(form)
    }
    const read = isBack
      ? { value: null }
      : bounds === undefined
        ? { value: !isOn }
        : readNumber(key, draft.value, bounds, locale)
    const broken = 'fault' in read ? read.fault : !isBack && read.value === standing ? 'same' : undefined
    setValueFault(broken)
    const input = {
      key,
      value: 'fault' in read ? null : read.value,
      reason: draft.reason.trim(),
      ...(actor.trim() === '' ? {} : { actor: actor.trim() }),
    }
    const found = faultsOf('admin.changeConfig', input)
    setFaults(found)
    if (broken !== undefined || Object.keys(found).length > 0) {
      focus()
      return
    }
    put.mutateAsync(input).then(
      (now) => {
        forget()
        tell(say('did', { name: say(`name.${key}`), value: valueText(key, now.value) }))
        onClose()
      },
      (error: unknown) => {
        setFaults(faultsSaid(error))
        focus()
      },
    )
  }
  const saidOfValue =
    valueFault === undefined
      ? faultOf('value')
      : typeof valueFault === 'string'
        ? say(valueFault)
        : fault(valueFault.rule, { limit: valueFault.limit })
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <p>
        {isBack
          ? say('goesBack', { value: valueText(key, standing), default: valueText(key, setting.default) })
          : bounds === undefined
            ? say('turns', { value: valueText(key, standing), next: valueText(key, !isOn) })
            : say('standsAt', { value: valueText(key, standing) })}
      </p>
      {!isBack && bounds !== undefined && (
        <TextField
          label={say(isDollars(key) ? 'newUsd' : 'newValue')}
          hint={boundsText(key, settings)}
          error={saidOfValue}
          required
          inputMode={isRate(key) ? 'numeric' : 'decimal'}
          autoComplete="off"
          value={draft.value}
          onChange={({ target }) => change({ value: target.value })}
        />
      )}
      <TextAreaField
        label={say('reason')}
        hint={say('reasonHelp')}
        rows={2}
        required
        value={draft.reason}
        onChange={({ target }) => change({ reason: target.value })}
        error={faultOf('reason')}
      />
      <TextField
        label={say('actor')}
        hint={say('actorHelp')}
        autoComplete="off"
        value={actor}
        onChange={({ target }) => changeActor({ actor: target.value })}
        error={faultOf('actor')}
      />
      {put.error !== null && <Failure error={put.error} />}
      <FormEnd onCancel={onClose} busy={put.isPending}>
        {say(isBack ? 'putBack' : bounds !== undefined ? 'change' : isOn ? 'turnOff' : 'turnOn')}
      </FormEnd>
    </form>
  )
}
