import { useState, type FormEvent } from 'react'
import { useToast } from '../../../components/toast.tsx'
import { faultsOf, faultsSaid, useDraft, type FieldFaults } from '../../../lib/form.ts'
import { useMessages, useSpeech } from '../../../lib/i18n.tsx'
import { useOperatorChange } from '../../../lib/operator.tsx'
import { focusFault } from '../../../lib/show-faults.ts'
import { useFaultTexts } from '../../../lib/use-fault-texts.ts'
import { faultMessages } from '../../../messages/faults.ts'
import { readNumber, type Bounds, type RunSetting, type ValueFault } from './bounds.ts'
import { settingsMessages } from './messages.ts'
import { useSettingTexts } from './use-setting-texts.ts'

type Draft = { readonly value: string; readonly reason: string }
const nobody = { actor: '' }
const empty: Draft = { value: '', reason: '' }

type Asked = {
  readonly setting: RunSetting
  /** Undefined for what is on or off, and for lists. */
  readonly bounds: Bounds | undefined
  /** Back to its default. */
  readonly isBack: boolean
  readonly onDone: () => void
}

type SettingChange = {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  readonly actor: string
  readonly changeActor: (actor: string) => void
  readonly valueError: string | undefined
  readonly errorOf: (field: string) => string | undefined
  readonly send: (event: FormEvent<HTMLFormElement>) => void
  readonly isPending: boolean
  readonly refused: Error | null
}

/** What is typed to put one setting elsewhere or back, what is wrong with it, and how it is sent. */
export function useSettingChange({ setting, bounds, isBack, onDone }: Asked): SettingChange {
  const { key, value: standing } = setting
  const say = useMessages(settingsMessages)
  const fault = useMessages(faultMessages)
  const { valueText } = useSettingTexts()
  const { locale } = useSpeech()
  const tell = useToast()
  const [draft, change, forget] = useDraft<Draft>(`setting.${key}.${isBack ? 'back' : 'change'}`, empty)
  const [{ actor }, changeActor] = useDraft('operator-name', nobody)
  const [faults, setFaults] = useState<FieldFaults>({})
  const [valueFault, setValueFault] = useState<ValueFault | 'same' | undefined>()
  const faultOf = useFaultTexts(faults)
  const put = useOperatorChange('admin.changeConfig', ['service.config'])
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = event.currentTarget
    const focus = (): void => {
      focusFault(form)
    }
    const read = isBack
      ? { value: null }
      : bounds !== undefined
        ? readNumber(key, draft.value, bounds, locale)
        : { value: typeof standing === 'string' ? draft.value.replaceAll(/\s/g, '') : standing !== true }
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
        onDone()
      },
      (error: unknown) => {
        setFaults(faultsSaid(error))
        focus()
      },
    )
  }
  const valueError =
    valueFault === undefined
      ? faultOf('value')
      : typeof valueFault === 'string'
        ? say(valueFault)
        : fault(valueFault.rule, { limit: valueFault.limit })
  return {
    draft,
    change,
    actor,
    changeActor: (typed) => {
      changeActor({ actor: typed })
    },
    valueError,
    errorOf: faultOf,
    send,
    isPending: put.isPending,
    refused: put.error,
  }
}
