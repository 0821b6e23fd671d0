import { describe, expect, it } from 'vitest'
import { kindOfRequest, type RequestKind } from './kept-build.ts'

const origin = 'https://ergon.example'

describe('What the service worker may answer', () => {
  it.each<readonly [what: string, path: string, kind: RequestKind, mode: string]>([
    ['the start', '/', 'page', 'navigate'],
    ['a screen', '/tasks/0198?tab=history', 'page', 'navigate'],
    ['a screen below one', '/my/tasks/0198/review', 'page', 'navigate'],
    ['a file of the build', '/assets/index-aaaa.js', 'asset', 'cors'],
    ['a file of the build by another name', '/assets/index-aaaa.js?who=me', 'other', 'cors'],
    ['an answer of the service', '/api/v1/tasks', 'other', 'cors'],
    ['an answer of the service in a tab of its own', '/api/v1/tasks', 'other', 'navigate'],
    ['a file that a worker handed in', '/api/v1/evidence/files/a.jpg', 'other', 'no-cors'],
    ['the tool server', '/mcp/', 'other', 'navigate'],
    ['a document for programs', '/llms.txt', 'other', 'navigate'],
    ['the manifest', '/manifest.webmanifest', 'other', 'cors'],
    ['the worker itself', '/sw.js', 'other', 'same-origin'],
    ['a picture of the app', '/icons/icon.svg', 'asset', 'no-cors'],
    ['another service', 'https://faucet.example/assets/a.js', 'other', 'cors'],
  ])('%s: %s is %s', (_what, path, kind, mode) => {
    expect(kindOfRequest({ method: 'GET', mode, url: new URL(path, origin).href }, origin)).toBe(kind)
  })

  it('nothing that changes something', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(kindOfRequest({ method, mode: 'navigate', url: `${origin}/` }, origin)).toBe('other')
  })
})
