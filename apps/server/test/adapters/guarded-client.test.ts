import { ownClock } from '@ergon/dev-env/testing'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createGuardedClient } from '../../src/delivery/guarded-client.ts'
import { GuardedFault, guardedTarget, type AddressRules } from '../../src/delivery/guarded-target.ts'

const isOpen: AddressRules = { near: 'none', resolve: () => Promise.resolve(['93.184.215.14']) }

async function reasonOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (fault: unknown) => (fault instanceof GuardedFault ? fault.reason : String(fault)),
  )
}

describe('which URLs of strangers are asked', () => {
  it.each([
    'http://hooks.example/',
    'ftp://hooks.example/',
    'file:///etc/passwd',
    'gopher://hooks.example/',
    'data:text/plain,x',
    '//hooks.example/',
    'hooks.example',
    '',
    'https://hooks.example:22/',
    'https://hooks.example:80/',
    'https://hooks.example:6379/',
    'https://hooks.example:0/',
    'https://hooks.example:99999/',
    'https://user@hooks.example/',
    'https://user:pw@hooks.example/',
    'https://:pw@hooks.example/',
    'https://hooks.example/#part',
    'https://hooks.example/#',
    `https://hooks.example/${'a'.repeat(2_100)}`,
    'https://[::1',
    'https://hooks example/',
  ])('%s is refused before anything is asked', async (url) => {
    expect(await reasonOf(guardedTarget(url, isOpen))).toBe('url')
  })

  it.each([
    // This machine, in every spelling a URL allows.
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.01',
    '127.0.0.1.',
    '0.0.0.0',
    '0',
    '①②⑦.⓪.⓪.①',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    // Networks nobody outside can reach.
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '[fec0::1]',
    // Where clouds serve the secrets of a machine.
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    // What carries an IPv4 address to whatever translates.
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    // Reserved, documentation, benchmarks, many at once.
    '0.1.2.3',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '198.18.0.1',
    '198.19.255.255',
    '192.88.99.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:20::1]',
    '[ff02::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
  ])('an address that is not public is refused: %s', async (host) => {
    expect(await reasonOf(guardedTarget(`https://${host}/`, isOpen))).toBe('address')
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.0.1',
    '198.17.0.1',
    '223.255.255.255',
    '[2606:4700::1111]',
    '[2a00:1450:4001::1]',
  ])('a public address is asked: %s', async (host) => {
    expect(await guardedTarget(`https://${host}:8443/a?b=1`, isOpen)).toMatchObject({
      address: host.replace(/[[\]]/g, ''),
      port: 8443,
      path: '/a?b=1',
      serverName: '',
    })
  })

  it.each([
    [['10.0.0.1']],
    [['93.184.215.14', '10.0.0.1']],
    [['2606:4700::1111', '::1']],
    [['::ffff:10.0.0.1']],
    [['fe80::1%eth0']],
    [['not an address']],
  ])('a name that leads to %j is refused', async (addresses) => {
    expect(
      await reasonOf(
        guardedTarget('https://hooks.example/', { near: 'none', resolve: () => Promise.resolve(addresses) }),
      ),
    ).toBe('address')
  })

  it('a name that leads nowhere is told from one that leads inside', async () => {
    expect(
      await reasonOf(guardedTarget('https://hooks.example/', { near: 'none', resolve: () => Promise.resolve([]) })),
    ).toBe('unresolvable')
    expect(
      await reasonOf(
        guardedTarget('https://hooks.example/', {
          near: 'none',
          resolve: () => Promise.reject(new Error('ENOTFOUND')),
        }),
      ),
    ).toBe('unresolvable')
  })

  it('the loopback flag opens this machine and no other private network', async () => {
    const local: AddressRules = { near: 'loopback', resolve: () => Promise.resolve(['127.0.0.1']) }
    expect(await guardedTarget('http://localhost:4000/x', local)).toMatchObject({
      address: '127.0.0.1',
      port: 4000,
      isSecure: false,
      authority: 'localhost:4000',
    })
    expect(await reasonOf(guardedTarget('http://10.0.0.1:4000/', local))).toBe('url')
    expect(await reasonOf(guardedTarget('https://10.0.0.1/', local))).toBe('address')
    expect(await reasonOf(guardedTarget('http://hooks.example/', { ...isOpen, near: 'loopback' }))).toBe('url')
  })
})

describe('a private network that an operator named', () => {
  const within = (...addresses: readonly string[]): AddressRules => ({
    near: 'private',
    resolve: () => Promise.resolve(addresses),
  })

  it.each(['10.1.2.3', '172.16.0.1', '172.31.255.254', '192.168.7.8', 'fd12:3456::1', '127.0.0.1', '::1'])(
    'is reached by http and on any port at %s',
    async (address) => {
      expect(await guardedTarget('http://photon:2322/api', within(address))).toMatchObject({ address, port: 2322 })
    },
  )

  it.each([
    ['169.254.169.254'],
    ['169.254.170.2'],
    ['fd00:ec2::254'],
    ['fd20:ce::254'],
    ['fd00:c1::a9fe:a9fe'],
    ['fd00:42::42'],
    ['100.100.100.200'],
    ['168.63.129.16'],
    ['172.32.0.1'],
    ['11.0.0.1'],
    ['fe80::1'],
    ['10.0.0.1', '169.254.169.254'],
    ['10.0.0.1', '93.184.215.14'],
    ['0.0.0.0'],
    ['not an address'],
  ])('is not %s', async (...addresses) => {
    expect(await reasonOf(guardedTarget('http://photon:2322/api', within(...addresses)))).toBe('url')
    expect(await reasonOf(guardedTarget('https://photon.example/api', within(...addresses)))).toMatch(
      addresses.every((one) => ['172.32.0.1', '11.0.0.1'].includes(one)) ? 'none' : 'address',
    )
  })
})

describe('how they are asked', () => {
  it('the name is resolved once an exchange, and the connection goes to the address that was looked at', async () => {
    await using receiver = await listen((request, response) => {
      response.end(`${request.headers.host ?? ''} ${request.method ?? ''} ${request.url ?? ''}`)
    })
    let asked = 0
    using client = createGuardedClient({
      near: 'loopback',
      resolve: () => {
        asked += 1
        return Promise.resolve(['127.0.0.1'])
      },
    })
    const answer = await client.exchange({
      url: `http://hooks.invalid:${String(receiver.port)}/in?a=1`,
      method: 'POST',
      body: '{}',
      timeoutMs: 5_000,
    })
    expect(answer).toMatchObject({
      status: 200,
      body: `hooks.invalid:${String(receiver.port)} POST /in?a=1`,
      isCut: false,
    })
    expect(asked).toBe(1)
  })

  it('a name that was harmless and now leads inside is refused, though a connection to it is still open', async () => {
    await using receiver = await listen((_request, response) => {
      response.end('ok')
    })
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '169.254.169.254']]
    using client = createGuardedClient({ near: 'loopback', resolve: () => Promise.resolve(answers.shift() ?? []) })
    const request = { url: `https://hooks.invalid:8443/`, method: 'POST', body: '{}', timeoutMs: 5_000 } as const
    expect((await client.exchange({ ...request, url: `http://hooks.invalid:${String(receiver.port)}/` })).status).toBe(
      200,
    )
    expect(await reasonOf(client.exchange(request))).toBe('address')
    expect(await reasonOf(client.exchange(request))).toBe('address')
  })

  it('a redirect is an answer and is not followed', async () => {
    let hits = 0
    await using receiver = await listen((_request, response) => {
      hits += 1
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    })
    using client = createGuardedClient({ near: 'loopback' })
    expect(await client.exchange({ url: receiver.url, method: 'POST', body: '{}', timeoutMs: 5_000 })).toMatchObject({
      status: 302,
      headers: { location: 'http://169.254.169.254/' },
    })
    expect(hits).toBe(1)
  })

  it('an answer without end is read to its limit', async () => {
    await using receiver = await listen((_request, response) => {
      const more = (): void => {
        while (response.write('x'.repeat(16_384)));
        response.once('drain', more)
      }
      more()
    })
    using client = createGuardedClient({ near: 'loopback' })
    const answer = await client.exchange({ url: receiver.url, method: 'GET', timeoutMs: 5_000, maxBytes: 65_536 })
    expect([answer.isCut, answer.body.length]).toEqual([true, 65_536])
  })

  it.each([
    ['silent', ((): void => undefined) satisfies RequestListener],
    [
      'dripping',
      ((_request, response): void => {
        const drip = setInterval(() => {
          response.write('x')
        }, 10)
        response.on('close', () => {
          clearInterval(drip)
        })
      }) satisfies RequestListener,
    ],
  ])('a %s receiver is left when the time is over', async (_name, onRequest) => {
    await using receiver = await listen(onRequest)
    using client = createGuardedClient({ near: 'loopback' })
    const ownMs = ownClock()
    expect(await reasonOf(client.exchange({ url: receiver.url, method: 'POST', body: '{}', timeoutMs: 200 }))).toBe(
      'timeout',
    )
    expect(await ownMs()).toBeLessThan(2_000)
  })

  it('a resolver that never answers is left too', async () => {
    using client = createGuardedClient({ near: 'loopback', resolve: () => new Promise(() => undefined) })
    expect(await reasonOf(client.exchange({ url: 'http://hooks.invalid/', method: 'GET', timeoutMs: 50 }))).toBe(
      'timeout',
    )
  })

  it('a kept connection that was closed while idle is made again', async () => {
    await using receiver = await listen((_request, response) => {
      response.end('ok')
    })
    using client = createGuardedClient({ near: 'loopback' })
    for (let round = 0; round < 3; round++) {
      expect((await client.exchange({ url: receiver.url, method: 'POST', body: '{}', timeoutMs: 5_000 })).status).toBe(
        200,
      )
      receiver.cutIdle()
    }
  })

  it('a closed port is a failed connection, and the message names no address', async () => {
    const port = await (async () => {
      await using receiver = await listen(() => undefined)
      return receiver.port
    })()
    using client = createGuardedClient({ near: 'loopback' })
    const fault: unknown = await client
      .exchange({ url: `http://127.0.0.1:${String(port)}/`, method: 'GET', timeoutMs: 5_000 })
      .catch((error: unknown) => error)
    expect(fault).toMatchObject({ reason: 'connection', message: 'the connection failed' })
  })
})

async function listen(
  onRequest: RequestListener,
): Promise<AsyncDisposable & { readonly url: string; readonly port: number; cutIdle(): void }> {
  const server = createServer(onRequest)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    port,
    url: `http://127.0.0.1:${String(port)}/`,
    cutIdle() {
      server.closeIdleConnections()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
