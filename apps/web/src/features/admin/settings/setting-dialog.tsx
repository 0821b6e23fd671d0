import type { ReactNode } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import { FormEnd } from '../../../components/form-end.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextAreaField, TextField } from '../../../components/field.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import { boundsOf, isDollars, isRate, type RunSetting } from './bounds.ts'
import { settingsMessages } from './messages.ts'
import { useSettingChange } from './use-setting-change.ts'
import { useSettingTexts } from './use-setting-texts.ts'

type DialogProps = {
  readonly setting: RunSetting | undefined
  readonly settings: readonly RunSetting[]
  readonly isBack: boolean
  readonly onClose: () => void
}
type FormProps = DialogProps & { readonly setting: RunSetting }

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
  const { valueText, boundsText } = useSettingTexts()
  const bounds = boundsOf(key, settings)
  const isOn = standing === true
  const isSwitch = typeof standing === 'boolean'
  const form = useSettingChange({ setting, bounds, isBack, onDone: onClose })
  const { draft, change } = form
  return (
    <form noValidate onSubmit={form.send} className="grid gap-4">
      <p>
        {isBack
          ? say('goesBack', { value: valueText(key, standing), default: valueText(key, setting.default) })
          : isSwitch
            ? say('turns', { value: valueText(key, standing), next: valueText(key, !isOn) })
            : say('inForce', { value: valueText(key, standing) })}
      </p>
      {!isBack && !isSwitch && (
        <TextField
          label={say(isDollars(key) ? 'newUsd' : 'newValue')}
          hint={bounds === undefined ? say(`says.${key}`) : boundsText(key, settings)}
          error={form.valueError}
          required={bounds !== undefined}
          inputMode={bounds === undefined ? 'text' : isRate(key) ? 'numeric' : 'decimal'}
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
        error={form.errorOf('reason')}
      />
      <TextField
        label={say('actor')}
        hint={say('actorHelp')}
        autoComplete="off"
        value={form.actor}
        onChange={({ target }) => form.changeActor(target.value)}
        error={form.errorOf('actor')}
      />
      {form.refused !== null && <Failure error={form.refused} />}
      <FormEnd onCancel={onClose} busy={form.isPending}>
        {say(isBack ? 'putBack' : !isSwitch ? 'change' : isOn ? 'turnOff' : 'turnOn')}
      </FormEnd>
    </form>
  )
}
