import { describe, expect, test } from 'vitest'
import { isLoopbackRedirect, isOwnRedirect, redirectFault, redirectHost } from '../src/redirects.ts'

const ascii = 'holds a space, a control character or a letter that is not ASCII'
const closed = 'has a scheme that leads to no client'
const plain = 'is plain http to another machine than the one it runs on'

test.each([
  'https://tool.example/callback',
  'https://tool.example:8443/callback?from=market',
  'http://127.0.0.1:4711/callback',
  'http://127.0.0.1/callback',
  'http://127.0.0.2/callback',
  'http://[::1]:4711/callback',
  'http://localhost:4711/callback',
  'com.tool.app:/callback',
  'tool://callback',
  `https://tool.example/${'x'.repeat(1_979)}`,
])('a code may be sent to %.60s', (text) => {
  expect(redirectFault(text)).toBeUndefined()
})

test.each([
  [`https://tool.example/${'x'.repeat(1_980)}`, 'is longer than 2000 characters'],
  ['https://tool.example/a b', ascii],
  ['https://tool.example/a\n', ascii],
  ['https://töol.example/', ascii],
  ['https://tool.example\\cb', 'holds a backslash'],
  ['/callback', 'is no absolute URL'],
  ['https://', 'is no absolute URL'],
  ['https://tool.example/#', 'has a fragment'],
  ['https://user@tool.example/', 'has a user'],
  ['https://:password@tool.example/', 'has a user'],
  ['https://@tool.example/', 'has a user'],
  ['tool://user@callback', 'has a user'],
  ['http://tool.example/callback', plain],
  ['http://127.0.0.1.evil.example/', plain],
  ...'about:blank blob:x chrome://settings content://x data:text/html,x file:///etc/passwd filesystem:x ftp://tool.example/ intent:x javascript:alert(1) mailto:a@b.example tel:1 vbscript:x view-source:x ws://tool.example/ wss://tool.example/'
    .split(' ')
    .map((one): [string, string] => [one, closed]),
])('no code is sent to %.60s: it %s', (text, fault) => {
  expect(redirectFault(text)).toBe(fault)
})

describe('a redirect is one of the client', () => {
  const own = ['https://tool.example/callback', 'http://127.0.0.1:1/cb?x=1', 'http://[::1]/cb', 'tool://callback']

  test.each([
    ...own,
    // RFC 8252 §7.3: a program takes whatever port is free.
    'http://127.0.0.1:52000/cb?x=1',
    'http://127.0.0.1/cb?x=1',
    'http://[::1]:52000/cb',
  ])('%s', (asked) => {
    expect(isOwnRedirect(asked, own)).toBe(true)
  })

  test.each([
    'https://tool.example/callback/',
    'https://tool.example:8443/callback',
    'https://tool.example/callback?x=1',
    'http://127.0.0.1:52000/cb',
    'http://127.0.0.1:52000/cb?x=2',
    'http://localhost:52000/cb?x=1',
    'http://127.0.0.1:52000/cb?x=1#',
    'http://user@127.0.0.1:1/cb?x=1',
    'http://tool.example:1/cb?x=1',
    'tool://callback:1',
    'no URL',
  ])('%s is none', (asked) => {
    expect(isOwnRedirect(asked, own)).toBe(false)
  })
})

test.each<[string, boolean, string]>([
  ['http://127.0.0.1:4711/cb', true, '127.0.0.1:4711'],
  ['http://[::1]/cb', true, '[::1]'],
  ['http://localhost/cb', true, 'localhost'],
  ['http://tool.example/cb', false, 'tool.example'],
  ['https://localhost/cb', false, 'localhost'],
  ['https://tool.example/cb', false, 'tool.example'],
  ['com.tool.app:/cb', false, 'com.tool.app:'],
])('whoever signs in to %s is told where it leads', (text, isLoopback, host) => {
  expect(isLoopbackRedirect(text)).toBe(isLoopback)
  expect(redirectHost(text)).toBe(host)
})
