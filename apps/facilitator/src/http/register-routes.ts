import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { readRegistryTarget } from '../identity/network.ts'
import { hashNames } from '../settle/await-outcome.ts'
import type { NewRegistration, Registration } from '../store/registrations.ts'
import { malformed, readAddress, readHex, readList, readRecord, readText } from '../wire/read.ts'
import { readBody, readIdempotencyKey } from './body.ts'
import type { Context } from './context.ts'

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<object>
type BlockCheck = (...addresses: readonly (string | undefined)[]) => void

const bodyKeys = new Set(['x402Version', 'network', 'agentUri', 'metadata', 'recipient'])
const metadataKeys = new Set(['key', 'value'])

export function addRegisterRoutes(app: FastifyInstance, context: Context, check: BlockCheck, guarded: (answer: Answer) => Answer): void {
  app.post('/register', guarded(async (request, reply) => {
    const body = readBody(request)
    const registration = readRegistration(body.value, body.requestHash, readIdempotencyKey(request), context)
    check(registration.recipient ?? undefined)
    const { id, finished } = await context.registrar.begin(registration)
    const isAsync = request.headers['prefer'] === 'respond-async'
    const done = isAsync ? undefined : await Promise.race([finished, delay(context.settleWaitMs, undefined, { ref: false })])
    if (done !== undefined) return describe(done, context)
    reply.code(202).header('location', `/register/status/${id}`)
    return { success: true, jobId: id, status: 'pending', network: registration.network }
  }))
  app.get('/register/status/:id', guarded(async (request) => {
    const { id } = request.params as { id: string } // the route names it
    const row = /^[0-9a-f-]{36}$/.test(id) ? await context.registrar.find(id) : undefined
    if (row === undefined) throw new Refusal('not_found', 'no such registration', { status: 404 })
    return { jobId: row.id, status: row.status, ...describe(row, context), success: row.status !== 'failed', ...(row.error === null ? {} : { error: row.error }) }
  }))
}

function readRegistration(value: unknown, requestHash: string, idempotencyKey: string | undefined, context: Context): NewRegistration {
  const body = readRecord(value, 'body', bodyKeys)
  const target = readRegistryTarget(body['network'], context.networks)
  const metadata = body['metadata'] === undefined ? [] : readList(body['metadata'], 'metadata', 16).map((entry) => {
    const record = readRecord(entry, 'metadata[]', metadataKeys)
    const key = readText(record['key'], 'metadata[].key', 128)
    if (key === 'agentWallet') throw malformed('metadata[].key', 'a key that is not reserved')
    return { key, value: readHex(record['value'], 'metadata[].value', 4_096) }
  })
  return {
    network: target.name,
    agentUri: readText(body['agentUri'], 'agentUri', 8_192),
    metadata,
    recipient: body['recipient'] === undefined || body['recipient'] === null ? null : readAddress(body['recipient'], 'recipient'),
    idempotencyKey: idempotencyKey ?? null,
    requestHash,
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
