import { commands } from '@ergon/cli'
import {
  disabledFeatureAt,
  disabledFeatures,
  errorCatalogue,
  events,
  llmsText,
  openApiDocument,
  operations,
  serverJson,
  signingVectors,
  skillFile,
  tools,
} from '@ergon/contract'
import { evidenceKinds } from '@ergon/contract/facts'
import { lifecycle } from '@ergon/core'
import { figures as facilitatorFigures, settings as facilitatorSettings } from '@ergon/facilitator'
import { figures as gatewayFigures, settings as gatewaySettings } from '@ergon/gateway'
import { networks } from '@ergon/protocols'
import { figures as serverFigures, settings as serverSettings } from '@ergon/server'
import { a2aPage } from './a2a-page.ts'
import { cliPage } from './cli-page.ts'
import { compactJson } from './compact-json.ts'
import { parityPage } from './parity-page.ts'
import { conformancePage } from './conformance-page.ts'
import { conformanceReport } from './conformance-report.ts'
import { suites } from './suites.ts'
import { declaredVersions, parityRows, producerLines, sellPhrases, specifiedEndpoints, stepNames } from './test-data.ts'
import { endpointPage } from './endpoint-page.ts'
import { errorPage } from './error-page.ts'
import { eventPage } from './event-page.ts'
import { evidencePage } from './evidence-page.ts'
import { lifecyclePage } from './lifecycle-page.ts'
import { metricsPage } from './metrics-page.ts'
import { networkPage } from './network-page.ts'
import { operationPage } from './operation-page.ts'
import { lostAnswers } from './lost-answers.ts'
import { lostAnswersPage } from './lost-answers-page.ts'
import { mutantReport, simulationPage } from './simulation-page.ts'
import { sellIntentPage } from './sell-intent-page.ts'
import { settingsPage } from './settings-page.ts'
import { toolPage } from './tool-page.ts'
import { wireTable } from './wire-table.ts'

/** Every reference page by its file name under docs/reference. */
export function referencePages(): Readonly<Record<string, string>> {
  const openApi = openApiDocument({ serverUrl: 'http://127.0.0.1:4020', version: '0.1.0' })
  const about = { baseUrl: 'https://market.example', version: '0.1.0', mcpUrl: 'https://market.example/mcp' }
  return {
    'a2a.md': a2aPage(),
    'cli.md': cliPage(commands),
    'conformance.md': conformancePage(suites, declaredVersions(), conformanceReport()),
    'endpoints.md': endpointPage({
      specified: specifiedEndpoints(),
      operations,
      disabledAt: disabledFeatureAt,
      steps: stepNames(),
    }),
    'errors.md': errorPage(errorCatalogue, producerLines()),
    'events.md': eventPage(events),
    'evidence.md': evidencePage(evidenceKinds),
    'llms.txt': llmsText(about),
    'lifecycle.md': lifecyclePage(lifecycle),
    'lost-answers.md': lostAnswersPage(lostAnswers),
    'metrics.md': metricsPage({ server: serverFigures, facilitator: facilitatorFigures, gateway: gatewayFigures }),
    'networks.md': networkPage(Object.values(networks)),
    'parity.md': parityPage(parityRows()),
    'openapi.json': `${compactJson(openApi, 4)}\n`,
    'operations.md': operationPage(operations, disabledFeatures),
    'server.json': `${JSON.stringify(serverJson(about), undefined, 2)}\n`,
    'signing-vectors.json': `${JSON.stringify(signingVectors, undefined, 2)}\n`,
    'SKILL.md': skillFile(about),
    'tools.md': toolPage(tools),
    'simulation.md': simulationPage(mutantReport()),
    'sell-intent.md': sellIntentPage(sellPhrases()),
    'settings.md': settingsPage({ server: serverSettings, facilitator: facilitatorSettings, gateway: gatewaySettings }),
  }
}

/** Every source file that is printed from others, by its path. */
export function printedSources(): Readonly<Record<string, string>> {
  return { 'packages/contract/src/wire/wire-table.ts': wireTable({ operations, errors: errorCatalogue, events }) }
}
