import type { ReactNode } from 'react'
import { LinkButton } from '../../../components/button.tsx'
import { Badge } from '../../../components/surface.tsx'
import { useMessages } from '../../../lib/i18n.tsx'
import type { RunSetting } from './bounds.ts'
import { settingsMessages } from './messages.ts'
import { useSettingTexts } from './use-setting-texts.ts'

/** A list of wallets is changed with the admin key alone. */
const groups = [
  ['networks', 'networks.'],
  ['bounties', 'bounty.'],
  ['features', 'features.'],
  ['review', 'review.'],
  ['rates', 'rates.'],
] as const

/** Every setting under what it is about: what is in force, what is allowed, and what the deployment set. */
export function SettingTable({ settings }: { readonly settings: readonly RunSetting[] }): ReactNode {
  const say = useMessages(settingsMessages)
  return (
    <div className="grid gap-8">
      {groups.map(([group, prefix]) => {
        const rows = settings.filter(({ key }) => key.startsWith(prefix))
        if (rows.length === 0) return null
        return (
          <section key={group} aria-labelledby={`settings-${group}`} className="grid max-w-4xl gap-3">
            <h2 id={`settings-${group}`}>{say(`group.${group}`)}</h2>
            <ul className="card divide-y divide-line py-1">
              {rows.map((setting) => (
                <SettingRow key={setting.key} setting={setting} settings={settings} />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

type RowProps = { readonly setting: RunSetting; readonly settings: readonly RunSetting[] }

function SettingRow({ setting: { key, value, default: byDefault, changed }, settings }: RowProps): ReactNode {
  const say = useMessages(settingsMessages)
  const { valueText, boundsText } = useSettingTexts()
  const name = say(`name.${key}`)
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4">
      <div className="grid min-w-0 flex-1 basis-80 gap-0.5">
        <h3 className="flex flex-wrap items-center gap-2">
          {name}
          {changed && <Badge tone="warn">{say('changed')}</Badge>}
        </h3>
        <p className="text-sm text-quiet">{say(`says.${key}`)}</p>
        <p className="numbers text-sm text-quiet empty:hidden">
          {/* A switch says all that it can be, and a list what it is. */}
          {[
            ...(typeof value !== 'number' ? [] : [`${say('bounds')}: ${boundsText(key, settings)}`]),
            ...(changed ? [`${say('default')}: ${valueText(key, byDefault)}`] : []),
          ].join(' · ')}
        </p>
      </div>
      <div className="flex grow flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:grow-0 sm:justify-end">
        <p className="numbers text-card whitespace-nowrap font-strong">
          <span className="visually-hidden">{say('value')}: </span>
          {valueText(key, value)}
        </p>
        <span className="flex flex-wrap gap-2">
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
      </div>
    </li>
  )
}
