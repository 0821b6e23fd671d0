import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGuardedClient } from '../../src/delivery/guarded-client.ts'

/** Good for hooks.invalid and for a hundred years; nothing is protected by it. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGkeETK1WsgVQeauB
qpmlgSuSrnea69qQYLqsZT1VbZ+hRANCAAQDn4x8dwEMxNmP2TI1eF+g6ErpXbS0
AkhfKW7oHddaoDS157GOKf8XMYbqRm86U/RK+7iDd79ClCFUxXY7jfsO
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBoDCCAUegAwIBAgIULQgCFmfpW6gBZMuSEi5VtMtqwT8wCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNaG9va3MuaW52YWxpZDAgFw0yNjExMjExMTUyMTVaGA8yMTI2
MTAyODExNTIxNVowGDEWMBQGA1UEAwwNaG9va3MuaW52YWxpZDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABAOfjHx3AQzE2Y/ZMjV4X6DoSuldtLQCSF8pbugd11qg
NLXnsY4p/xcxhupGbzpT9Er7uIN3v0KUIVTFdjuN+w6jbTBrMB0GA1UdDgQWBBRt
oSZ1PK63ceunxYw+xUTfwpP5JzAfBgNVHSMEGDAWgBRtoSZ1PK63ceunxYw+xUTf
wpP5JzAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDWhvb2tzLmludmFsaWQw
CgYIKoZIzj0EAwIDRwAwRAIgTejUORtD13hdq6X7HtcvZXs3i8cPGJag/SpnTr/B
vVECICV9igzuSy7Zq8/X6frbSzZPOdkhlhA6d08CsaTN9fSW
-----END CERTIFICATE-----`

let server: Server
let names: unknown[]
beforeEach(async () => {
  names = []
  // What the name in the handshake was; `false` when there was none.
  server = createServer({ key, cert }, (request, response) => {
    names.push((request.socket as TLSSocket & { readonly servername?: unknown }).servername)
    response.end(request.headers.host)
  }) // the types do not know it
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function ask(host: string): Promise<unknown> {
  using client = createGuardedClient({ near: 'loopback', resolve: () => Promise.resolve(['127.0.0.1']) })
  const { port } = server.address() as AddressInfo // it listens on TCP
  const ask = async () =>
    client.exchange({ url: `https://${host}:${String(port)}/`, method: 'POST', body: '{}', timeoutMs: 5_000 }).then(
      ({ status, body }) => [status, body.replace(String(port), 'port')],
      (fault: unknown) => fault,
    )
  await ask()
  return await ask()
}

test('a certificate that nobody vouches for is refused, and no byte of the request is sent', async () => {
  expect(await ask('hooks.invalid')).toMatchObject({ reason: 'certificate' })
  expect(names).toEqual([])
})

test('the address that was looked at is asked under the name, which the certificate must bear', async () => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  try {
    expect(await ask('hooks.invalid')).toEqual([200, 'hooks.invalid:port'])
    expect(names).toEqual(['hooks.invalid', 'hooks.invalid'])
    expect(await ask('other.invalid')).toMatchObject({ reason: 'certificate' })
    expect(await ask('127.0.0.1')).toMatchObject({ reason: 'certificate' })
    expect(names.length).toBe(2)
  } finally {
    setDefaultCACertificates(before)
  }
})
