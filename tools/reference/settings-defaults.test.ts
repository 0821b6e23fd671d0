import { decideConfig as decideFacilitator, readEnv as readFacilitator } from '@ergon/facilitator'
import { settings as ofFacilitator, type Env } from '@ergon/facilitator'
import { decideConfig as decideGateway, settings as ofGateway } from '@ergon/gateway'
import { decideConfig as decideServer, readEnv as readServer, settings as ofServer } from '@ergon/server'
import { describe, expect, test } from 'vitest'

const databaseUrl = 'postgres://127.0.0.1/ergon'
const seller = 'FcKyvS5bKNUHoj9FYtnJzS8QRkj3R4P2GSYkcvYwmeAH'

/** What has settings of its own only where it is wanted. */
const partsOfServer: Env = {
  SVC_RPC_SOLANA: 'http://127.0.0.1:1',
  SVC_SOLANA_PROGRAM_HASH: '00'.repeat(32),
  SVC_S3_ENDPOINT: 'https://s3.example',
  SVC_S3_BUCKET: 'evidence',
  SVC_S3_ACCESS_KEY: 'key',
  SVC_REVIEW_URL: 'https://review.example',
  SVC_REVIEW_MODEL: 'model',
  SVC_LINKED_SIGNER_URL: 'https://signer.example',
  SVC_MAIL_URL: 'smtps://mail.example',
  SVC_MAIL_FROM: 'market@market.example',
  SVC_GEOCODER_URL: 'https://geocoder.example',
  SVC_WEB_DIR: '/srv/app',
  SVC_MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}',
  SVC_METRICS_PORT: '9100',
}

type App = {
  readonly name: string
  readonly settings: readonly { readonly name: string; readonly default: string; readonly secret?: true }[]
  readonly decide: (env: Env) => unknown
}

const apps: readonly App[] = [
  {
    name: 'server',
    settings: ofServer,
    decide: (env) =>
      decideServer(
        readServer({
          DATABASE_URL: databaseUrl,
          SVC_NETWORKS: 'base',
          SVC_RPC_BASE: 'http://127.0.0.1:1',
          SVC_FACILITATOR_URL: 'http://127.0.0.1:2',
          SVC_BASE_URL: 'https://market.example',
          ...partsOfServer,
          ...env,
        }),
      ),
  },
  {
    name: 'facilitator',
    settings: ofFacilitator,
    decide: (env) =>
      decideFacilitator(
        readFacilitator({
          DATABASE_URL: databaseUrl,
          FACILITATOR_NETWORKS: 'base,solana',
          FACILITATOR_RPC_BASE: 'http://127.0.0.1:1',
          FACILITATOR_RPC_SOLANA: 'http://127.0.0.1:1',
          FACILITATOR_METRICS_PORT: '9100',
          ...env,
        }),
      ),
  },
  {
    name: 'gateway',
    settings: ofGateway,
    decide: (env) =>
      decideGateway({
        DATABASE_URL: databaseUrl,
        GATEWAY_ENDPOINTS: `/weather http://127.0.0.1:1/v1 1000 ${seller}`,
        GATEWAY_RPC: 'http://127.0.0.1:1',
        GATEWAY_METRICS_PORT: '9100',
        ...env,
      }),
  },
]

/** What can be set as it is printed: no sentence, and nothing that depends on another setting. */
const isValue = (text: string): boolean =>
  /^\S+$/.test(text) && !text.includes('SVC_') && !['none', 'required'].includes(text)

describe.each(apps)('the settings table of the $name', ({ settings, decide }) => {
  const values = settings.filter(
    ({ name, default: text, secret }) => isValue(text) && secret !== true && !name.includes('<'),
  )

  test('prints many values', () => {
    expect(values.length).toBeGreaterThan(8)
  })

  test.each(values)('prints what $name is when it is not set: $default', ({ name, default: text }) => {
    expect(decide({ [name]: text })).toEqual(decide({}))
  })
})
