import type { Terms } from '../chain/draft.ts'
import { Refusal } from '../errors.ts'
import { readRegistryTarget } from '../identity/network.ts'
import { hashNames, within } from '../settle/await-outcome.ts'
import type { NewRegistration, Registration } from '../store/registrations.ts'
import { malformed, readAddress, readHex, readList, readRecord, readText } from '../wire/read.ts'
import { readBody, readTerms } from './body.ts'
import type { BlockCheck, Context } from './context.ts'
import { headerOf, ok, type Route } from './exchange.ts'
import type { Router } from './router.ts'

const bodyKeys = ['x402Version', 'network', 'agentUri', 'metadata', 'recipient']
const metadataKeys = ['key', 'value']
/** A UUID as the database reads one: anything else is nobody's job, and no question to it. */
const jobId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Guards = { readonly guarded: (route: Route) => Route; readonly reading: (route: Route) => Route }

export function addRegisterRoutes(
  router: Router,
  context: Context,
  check: BlockCheck,
  { guarded, reading }: Guards,
): void {
  router.on(
    'POST',
    '/register',
    guarded(async ({ request }) => {
      const body = readBody(request)
      const terms = readTerms(request, body.requestHash)
      const registration = readRegistration(body.value, terms, context)
      check(registration.recipient ?? undefined)
      const { id, finished } = await context.registrar.begin(registration, terms)
      const done = headerOf(request, 'prefer') === 'respond-async' ? undefined : await within(finished, context)
      if (done !== undefined) return ok(describe(done, context))
      return {
        status: 202,
        headers: { location: `/register/status/${id}` },
        body: { success: true, jobId: id, status: 'pending', network: registration.network },
      }
    }),
  )
  router.on(
    'GET',
    '/register/status/:id',
    reading(async ({ params: [id = ''] }) => {
      const row = jobId.test(id) ? await context.registrar.find(id) : undefined
      if (row === undefined) throw new Refusal('not_found', 'no such registration', { status: 404 })
      const failure = row.error === null ? {} : { error: row.error }
      return ok({
        jobId: row.id,
        status: row.status,
        ...describe(row, context),
        success: row.status !== 'failed',
        ...failure,
      })
    }),
  )
}

function readRegistration(value: unknown, terms: Terms, context: Context): NewRegistration {
  const body = readRecord(value, 'body', bodyKeys)
  const target = readRegistryTarget(body['network'], context.networks)
  const metadata =
    body['metadata'] === undefined
      ? []
      : readList(body['metadata'], 'metadata', 16).map((entry) => {
          const record = readRecord(entry, 'metadata[]', metadataKeys)
          const key = readText(record['key'], 'metadata[].key', 128)
          if (key === 'agentWallet') throw malformed('metadata[].key', 'a key that is not reserved')
          return { key, value: readHex(record['value'], 'metadata[].value', 4_096) }
        })
  return {
    network: target.name,
    agentUri: readText(body['agentUri'], 'agentUri', 8_192),
    metadata,
    recipient:
      body['recipient'] === undefined || body['recipient'] === null
        ? null
        : readAddress(body['recipient'], 'recipient'),
    idempotencyKey: terms.idempotencyKey ?? null,
    requestHash: terms.requestHash,
  }
}

function describe(row: Registration, context: Context): object {
  return {
    success: true,
    ...(row.agentId === null ? {} : { agentId: row.agentId }),
    ...(row.mintTransaction === null ? {} : hashNames(row.mintTransaction)),
    ...(row.transferTransaction === null ? {} : { transferTransaction: row.transferTransaction }),
    owner: row.transferTransaction === null ? context.account : row.recipient,
    network: row.network,
  }
}
