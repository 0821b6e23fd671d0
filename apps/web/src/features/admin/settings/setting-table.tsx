import type { ReactNode } from 'react'
import { LinkButton } from '../../../components/button.tsx'
import { Badge } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import type { RunSetting } from './bounds.ts'
import { settingsMessages } from './messages.ts'
import { useSettingTexts } from './use-setting-texts.ts'

const cell =
  'block py-1 align-top before:mr-2 before:text-sm before:text-quiet before:content-[attr(data-name)] md:table-cell md:px-3 md:py-3 md:before:content-none'

/** The app changes switches and numbers; a list of wallets is changed with the admin key. */
const isSwitchOrNumber = ({ value }: RunSetting): boolean => typeof value !== 'string'

/** Every setting with what is in force, what is allowed and what the deployment set. */
export function SettingTable({ settings }: { readonly settings: readonly RunSetting[] }): ReactNode {
  const say = useMessages(settingsMessages)
  return (
    <table className="block w-full text-left md:table">
      <caption className="visually-hidden">{say('caption')}</caption>
      <thead className="hidden md:table-header-group">
        <tr className="border-b border-line text-sm text-quiet">
          {(['setting', 'value', 'bounds', 'default'] as const).map((name) => (
            <th key={name} scope="col" className="px-3 py-2 font-semibold">
              {say(name)}
            </th>
          ))}
          <th scope="col">
            <span className="visually-hidden">{say('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {settings.filter(isSwitchOrNumber).map((setting) => (
          <SettingRow key={setting.key} setting={setting} settings={settings} />
        ))}
      </tbody>
    </table>
  )
}

function SettingRow({
  setting: { key, value, default: byDefault, changed },
  settings,
}: {
  readonly setting: RunSetting
  readonly settings: readonly RunSetting[]
}): ReactNode {
  const say = useMessages(settingsMessages)
  const { valueText, boundsText } = useSettingTexts()
  const name = say(`name.${key}`)
  return (
    <tr className="block border-b border-line py-3 md:table-row md:py-0">
      <th scope="row" className="block py-1 align-top font-normal md:table-cell md:px-3 md:py-3">
        <span className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {changed && <Badge tone="warn">{say('changed')}</Badge>}
        </span>
        <span className="block text-sm text-quiet">{say(`says.${key}`)}</span>
        <code className="text-sm text-quiet">{key}</code>
      </th>
      <td data-name={say('value')} className={`${cell} whitespace-nowrap`}>
        <span className="numbers font-semibold">{valueText(key, value)}</span>
      </td>
      <td data-name={say('bounds')} className={`${cell} numbers`}>
        {boundsText(key, settings)}
      </td>
      <td data-name={say('default')} className={`${cell} numbers whitespace-nowrap`}>
        {valueText(key, byDefault)}
      </td>
      <td className="block pt-2 align-top md:table-cell md:px-3 md:py-3">
        <span className="flex flex-wrap gap-2 md:flex-nowrap md:justify-end">
          {changed && (
            <LinkButton
              to="/admin/settings"
              search={{ back: key }}
              resetScroll={false}
              kind="quiet"
              className="whitespace-nowrap"
              aria-label={say('putBackOf', { name })}
            >
              {say('putBack')}
            </LinkButton>
          )}
          <LinkButton
            to="/admin/settings"
            search={{ change: key }}
            resetScroll={false}
            className="whitespace-nowrap"
            aria-label={say('changeOf', { name })}
          >
            {say('change')}
          </LinkButton>
        </span>
      </td>
    </tr>
  )
}
