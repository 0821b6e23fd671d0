import { expect, test } from 'vitest'
import { movedTo } from './moved-to.ts'

const settings = { serviceUrl: 'https://new.example', sessionOrigins: 'https://new.example https://partner.example' }
const at = (origin: string) => ({ origin, hostname: new URL(origin).hostname, pathname: '/tasks/7', search: '?a=1' })

test.each([
  ['https://new.example', undefined],
  ['https://partner.example', undefined],
  ['http://localhost:4020', undefined],
  ['http://127.0.0.1:4020', undefined],
  ['https://old.example', 'https://new.example/tasks/7?a=1'],
  ['https://new.example:8443', 'https://new.example/tasks/7?a=1'],
])('a page at %s leads to %s', (origin, address) => {
  expect(movedTo(settings, at(origin))).toBe(address)
})

test('a service that does not tell where pages may act sends nobody away', () => {
  expect(movedTo({ ...settings, sessionOrigins: null }, at('https://old.example'))).toBeUndefined()
  expect(movedTo({ ...settings, serviceUrl: null }, at('https://old.example'))).toBeUndefined()
})
