import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorCatalogue, events, openApiDocument, operations } from '@ergon/contract'
import { lifecycle } from '@ergon/core'
import { networks } from '@ergon/protocols'
import { compactJson } from './compact-json.ts'
import { errorPage } from './error-page.ts'
import { eventPage } from './event-page.ts'
import { lifecyclePage } from './lifecycle-page.ts'
import { networkPage } from './network-page.ts'
import { operationPage } from './operation-page.ts'
import { settingsPage } from './settings-page.ts'
import type { ConfigFile } from './settings-page.ts'

/** Every reference page by its file name under docs/reference. */
export function referencePages(): Readonly<Record<string, string>> {
  const openApi = openApiDocument({ serverUrl: 'http://127.0.0.1:4020', version: '0.1.0' })
  return {
    'errors.md': errorPage(errorCatalogue),
    'events.md': eventPage(events),
    'lifecycle.md': lifecyclePage(lifecycle),
    'networks.md': networkPage(Object.values(networks)),
    'openapi.json': `${compactJson(openApi, 4)}\n`,
    'operations.md': operationPage(operations),
    'settings.md': settingsPage({ server: configOf('server'), facilitator: configOf('facilitator') }),
  }
}

function configOf(app: string): readonly ConfigFile[] {
  const folder = fileURLToPath(new URL(`../../apps/${app}/src/config/`, import.meta.url))
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort()
  return names.map((name) => ({ path: name, text: readFileSync(folder + name, 'utf8') }))
}
