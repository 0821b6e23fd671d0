import { code, page, table } from './table.ts'

export type SettingRow = {
  readonly name: string
  readonly default: string
  readonly says: string
  readonly secret?: true
}

const introduction =
  'A setting that is empty is not set. Quotes, a comment behind a value, `~` and `export` are refused.'

/** Every environment variable of each app, from the table beside the code that reads it. */
export function settingsPage(apps: Readonly<Record<string, readonly SettingRow[]>>): string {
  const parts = Object.entries(apps).flatMap(([app, settings]) => [
    `## ${app}`,
    table(
      ['Setting', 'Default', 'Meaning'],
      settings.map((row) => [code(row.name), row.default, row.secret === true ? `${row.says} Secret.` : row.says]),
    ),
  ])
  return page('Settings', 'apps/*/src/config/settings-table.ts', introduction, ...parts)
}

const quotedName = /'((?:SVC|ERGON|FACILITATOR|GATEWAY|DATABASE)_[A-Z0-9_]+)'/g

/** The settings that configuration files read, by name; one that ends with an underscore is a prefix. */
export function settingsReadIn(texts: readonly string[]): readonly string[] {
  return [
    ...new Set(
      texts.flatMap((text) => [...text.matchAll(quotedName)].flatMap(([, name]) => (name === undefined ? [] : [name]))),
    ),
  ].sort()
}
