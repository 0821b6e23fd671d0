import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { hostsNamed, originForm, requestFault } from '../src/index.ts'

type Asked = {
  readonly version?: string
  readonly raw?: readonly string[]
  readonly url?: string
  readonly coding?: string
}

function faultOf({ version = '1.1', raw = ['Host', 'a'], url = '/', coding }: Asked): string | undefined {
  const headers = coding === undefined ? {} : { 'transfer-encoding': coding }
  // What is asked for.
  return requestFault({ httpVersion: version, headers, rawHeaders: raw, url } as unknown as IncomingMessage)
}

describe('a request that two readers would read differently', () => {
  test('names one host, in whatever letters, and is not told by the values of others', () => {
    expect(faultOf({})).toBeUndefined()
    expect(faultOf({ raw: ['hOST', 'a', 'X', 'host', 'x-host', 'b', 'hosts', 'c'] })).toBeUndefined()
    expect(faultOf({ raw: ['host', 'a', 'HOST', 'a'] })).toBe('The request names its host twice.')
    expect(faultOf({ raw: [] })).toBe('The request names no host.')
    expect(faultOf({ raw: ['Accept', 'host'] })).toBe('The request names no host.')
    expect(hostsNamed(['Host', 'a', 'x', 'y', 'HOST', 'b'])).toEqual(['a', 'b'])
  })

  test('may name no host before HTTP/1.1, and never two', () => {
    expect(faultOf({ version: '1.0', raw: [] })).toBeUndefined()
    expect(faultOf({ version: '1.0', raw: ['host', 'a', 'host', 'b'] })).toBe('The request names its host twice.')
  })

  test('has a target without a fragment', () => {
    expect(faultOf({ url: '/a?b=%23' })).toBeUndefined()
    expect(faultOf({ url: '/a#b' })).toBe('The target has a fragment.')
  })

  test('is sent in chunks or at once, and in chunks from HTTP/1.1 on alone', () => {
    const other = 'The only Transfer-Encoding that is read is chunked.'
    for (const coding of ['chunked', ' Chunked ']) expect(faultOf({ coding })).toBeUndefined()
    for (const coding of ['gzip, chunked', 'chunked, chunked', 'identity', '']) expect(faultOf({ coding })).toBe(other)
    expect(faultOf({ coding: 'chunked', version: '1.0' })).toBe('HTTP/1.0 knows no Transfer-Encoding.')
  })
})

test.each([
  ['/a?b', '/a?b'],
  ['http://host/a?b', '/a?b'],
  ['HTTPS://user@host:1', '/'],
  ['http://host?b', '/?b'],
  ['http://host/a//b', '/a//b'],
  ['*', '*'],
  ['ftp://host/a', 'ftp://host/a'],
  ['/http://host/a', '/http://host/a'],
])('the target %s asks for %s', (target, form) => {
  expect(originForm(target)).toBe(form)
})
