import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { settings as facilitatorSettings } from '@ergon/facilitator'
import { settings as gatewaySettings } from '@ergon/gateway'
import { settings as serverSettings } from '@ergon/server'
import { expect, test } from 'vitest'
import { settingsPage, settingsReadIn, type SettingRow } from './settings-page.ts'

function configTexts(app: string): string[] {
  const folder = fileURLToPath(new URL(`../../apps/${app}/src/config/`, import.meta.url))
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'settings-table.ts')
    .map((name) => readFileSync(folder + name, 'utf8'))
}

const apps: readonly (readonly [string, readonly SettingRow[]])[] = [
  ['server', serverSettings],
  ['facilitator', facilitatorSettings],
  ['gateway', gatewaySettings],
]

test.each(apps)(
  'the settings table of the %s names what its configuration reads, and nothing else',
  (app, settings) => {
    const read = settingsReadIn(configTexts(app)).map((name) => (name.endsWith('_') ? `${name}<NAME>` : name))
    const named = settings.map(({ name }) => name)
    // A secret may be read through a name that is put together; its plain form is in the code.
    expect(named.filter((name) => !name.endsWith('_FILE') || read.includes(name)).toSorted()).toEqual(
      read.filter((name) => named.includes(name)).toSorted(),
    )
    expect(read.filter((name) => !named.includes(name))).toEqual([])
  },
)

test.each(apps)('every secret of the %s may come from a file', (_app, settings) => {
  const named = settings.map(({ name }) => name)
  const secrets = settings.flatMap(({ name, secret }) => (secret === true ? [name] : []))
  expect(secrets.length).toBeGreaterThan(2)
  expect(secrets.filter((name) => !named.includes(`${name}_FILE`))).toEqual([])
})

test('a secret is marked', () => {
  expect(
    settingsPage({ server: [{ name: 'SVC_X', default: 'none', says: 'Opens the door.', secret: true }] }),
  ).toContain('| `SVC_X` | none | Opens the door. Secret. |')
})
