import { generateKeyPairSync, hash, randomUUID, sign } from 'node:crypto'
import { createRequire } from 'node:module'
import { keccak256, loadFastKeccak } from '@ergon/protocols'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Pool, type CustomTypesConfig } from 'pg'
import { getStatement, listStatement, publishStatement, tickStatement } from './statements.ts'

/** The part of the addon in use; the package ships no types. */
type Recover = {
  ecdsaRecover(compact: Uint8Array, recovery: number, digest: Uint8Array, compressed: false): Uint8Array
}
type Draft = { title: string; instructions: string; category: string; bounty_usd: number; evidence_required: string[] }
type Claims = { readonly wallet: string; readonly nonce: string; readonly expires: number }

const require = createRequire(import.meta.url)
const signatureInput = /^eth=(\(.*\);created=\d+;expires=(\d+);nonce="([^"]+)";keyid="erc8128:\d+:(0x[0-9a-f]{40})".*)$/
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const pageSize = 20

/**
 * The least that a publish and a list can cost: what the market's own routes are measured against. It checks no input.
 */
export async function createBareService(databaseUrl: string): Promise<FastifyInstance> {
  await loadFastKeccak()
  // CommonJS without types; the shape is the documented one.
  const { ecdsaRecover } = require('secp256k1/bindings.js') as Recover
  // Columns stay text: a bare page needs no dates and no lists of its own.
  const asText = {
    getTypeParser:
      () =>
      (value: string): string =>
        value,
  } as CustomTypesConfig // its overloads differ in the type of `value` alone
  const pool = new Pool({ connectionString: databaseUrl, max: 10, types: asText })
  const service = Fastify()
  service.addHook('onClose', () => pool.end())
  service.removeAllContentTypeParsers()
  service.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
  service.get('/health', async () => 'ok')
  service.get('/tasks', async (request, reply) => {
    const { cursor } = request.query as { cursor?: string }
    const { rows } = await pool.query<{ id: string }>({
      name: 'list',
      text: listStatement,
      values: [cursor ?? lastId, pageSize + 1],
    })
    const tasks = rows.slice(0, pageSize)
    return reply.type('application/json').send(JSON.stringify({ tasks, next_cursor: tasks.at(-1)?.id }))
  })
  service.get('/tasks/:id', async (request, reply) => {
    const { id } = request.params as { id: string }
    const { rows } = await pool.query({ name: 'get', text: getStatement, values: [id] })
    return reply.type('application/json').send(JSON.stringify(rows[0]))
  })
  service.post('/a2a', async (request, reply) => {
    // The only parser above gives a buffer; what it checks nowhere is what makes it bare.
    const { id, params } = JSON.parse((request.body as Buffer).toString()) as {
      id: number
      params: { task_id: string }
    }
    const { rows } = await pool.query<object>({ name: 'get', text: getStatement, values: [params.task_id] })
    return reply.type('application/json').send(JSON.stringify({ jsonrpc: '2.0', id, result: rows[0] }))
  })
  service.post('/api/v1/tasks', async (request, reply) => {
    const body = request.body as Buffer // the only parser above gives one
    const claims = authenticate(request, body, ecdsaRecover)
    if (claims === undefined) return reply.code(401).send('{}')
    const id = randomUUID()
    const { rowCount } = await pool.query({
      name: 'publish',
      text: publishStatement,
      values: valuesOf(id, claims, JSON.parse(body.toString()) as Draft),
    })
    return rowCount === 1
      ? reply
          .code(201)
          .type('application/json')
          .send(JSON.stringify({ id, status: 'published' }))
      : reply.code(401).send('{}')
  })
  addTicks(service, pool, ecdsaRecover)
  return service
}

/** One durable row and one Ed25519 signature over as many bytes as a voucher has. */
function addTicks(service: FastifyInstance, pool: Pool, recover: Recover['ecdsaRecover']): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  let cumulative = 0
  service.post('/api/v1/tasks/:id/tick', async (request, reply) => {
    const body = request.body as Buffer // the only parser gives one
    const claims = authenticate(request, body, recover)
    if (claims === undefined) return reply.code(401).send('{}')
    const { evidence } = JSON.parse(body.toString()) as { evidence: object }
    cumulative += 1
    const voucher = Buffer.alloc(50)
    voucher.writeBigUInt64LE(BigInt(cumulative), 34)
    const signature = sign(null, voucher, privateKey).toString('base64')
    const id = randomUUID()
    const { id: taskId } = request.params as { id: string } // of the route
    const key = hash('sha256', `${claims.wallet}:${claims.nonce}`, 'buffer').subarray(0, 16)
    const values = [key, claims.expires, id, taskId, cumulative, signature, JSON.stringify(evidence), new Date()]
    const { rowCount } = await pool.query({ name: 'tick', text: tickStatement, values })
    return rowCount === 1
      ? reply.type('application/json').send(JSON.stringify({ id, cumulative }))
      : reply.code(401).send('{}')
  })
}

/** The digest of the body, one hash and one recovery, over a base that has one fixed shape. */
function authenticate(
  { headers, method, url }: FastifyRequest,
  body: Buffer,
  recover: Recover['ecdsaRecover'],
): Claims | undefined {
  const digest = headers['content-digest']
  const [, params, expires, nonce, wallet] = signatureInput.exec(String(headers['signature-input'])) ?? []
  if (
    params === undefined ||
    nonce === undefined ||
    wallet === undefined ||
    digest !== `sha-256=:${hash('sha256', body, 'base64')}:`
  )
    return undefined
  const base = `"@method": ${method}\n"@authority": ${headers.host ?? ''}\n"@path": ${url}\n"content-digest": ${digest}\n"@signature-params": ${params}`
  const signature = Buffer.from(String(headers['signature']).slice('eth=:'.length, -1), 'base64')
  const key = recover(
    signature.subarray(0, 64),
    (signature[64] ?? 0) - 27,
    keccak256(Buffer.from(`\x19Ethereum Signed Message:\n${base.length}${base}`)),
    false,
  )
  const address = `0x${Buffer.from(keccak256(key.subarray(1)).subarray(12)).toString('hex')}`
  return address === wallet ? { wallet, nonce, expires: Number(expires) } : undefined
}

function valuesOf(id: string, { wallet, nonce, expires }: Claims, draft: Draft): unknown[] {
  const now = new Date()
  return [
    id,
    'published',
    draft.title,
    draft.instructions,
    draft.category,
    Math.round(draft.bounty_usd * 1e6),
    'USDC',
    'localnet',
    6,
    new Date(now.getTime() + 86_400_000),
    wallet,
    'agent',
    1,
    'any',
    draft.evidence_required,
    [],
    null,
    0,
    'pending_assignment',
    now,
    now,
    hash('sha256', `${wallet}:${nonce}`, 'buffer').subarray(0, 16),
    expires,
    randomUUID(),
    JSON.stringify({ task_id: id, title: draft.title }),
  ]
}
