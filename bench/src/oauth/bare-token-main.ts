import { createPrivateKey, generateKeyPairSync, hash, randomBytes, sign } from 'node:crypto'
import Fastify from 'fastify'
import { Pool } from 'pg'

/** The least that renewing a token can be: two conditional updates and one ES256 signature. It checks no input. */
const [url, port] = [process.env['DATABASE_URL'], Number(process.env['BARE_PORT'])]
if (url === undefined || !(port > 0)) throw new Error('set DATABASE_URL and BARE_PORT')
const pool = new Pool({ connectionString: url, max: 10 })
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'bare' })).toString('base64url')

const service = Fastify()
service.addHook('onClose', () => pool.end())
service.removeAllContentTypeParsers()
service.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
  done(null, body)
})
service.get('/health', async () => 'ok')
service.post('/oauth/token', async (request, reply) => {
  const form = new URLSearchParams(request.body as string) // the only parser above gives one
  const next = randomBytes(32).toString('base64url')
  const now = new Date()
  const rotated = await pool.query<{ grant_id: string }>({
    name: 'rotate',
    text: `update oauth_refresh_tokens set hash = $2 where hash = $1 and used_at is null and expires_at > $3
      returning grant_id`,
    values: [hash('sha256', form.get('refresh_token') ?? '', 'base64url'), hash('sha256', next, 'base64url'), now],
  })
  const noted = await pool.query<{ wallet: string; scopes: string[] }>({
    name: 'note',
    text: 'update oauth_grants set used_at = $2 where id = $1 and revoked_at is null returning wallet, scopes',
    values: [rotated.rows[0]?.grant_id, now],
  })
  const [grant] = noted.rows
  if (grant === undefined) return reply.code(400).send('{}')
  const at = Math.floor(now.getTime() / 1_000)
  const claims = {
    iss: 'bare',
    sub: grant.wallet,
    aud: 'bare',
    scope: grant.scopes.join(' '),
    iat: at,
    exp: at + 3_600,
  }
  const signed = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  const answer = {
    access_token: `${signed}.${signature}`,
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: next,
  }
  return reply.type('application/json').send(JSON.stringify({ ...answer, scope: claims.scope }))
})
process.once('SIGTERM', () => {
  void service.close().then(() => process.exit())
})
process.once('disconnect', () => process.exit())
await service.listen({ host: '127.0.0.1', port })
