import { expect, test } from 'vitest'
import { secureAddress } from './secure-address.ts'

const here = { pathname: '/tasks/7', search: '?then=%2Fwork' }

test.each([
  ['https://ergon.example', { href: 'https://ergon.example/tasks/7?then=%2Fwork', isLocal: false }],
  ['http://127.0.0.1:8080', { href: 'http://127.0.0.1:8080/tasks/7?then=%2Fwork', isLocal: true }],
  ['http://localhost:8080', { href: 'http://localhost:8080/tasks/7?then=%2Fwork', isLocal: true }],
  ['http://[::1]:8080', { href: 'http://[::1]:8080/tasks/7?then=%2Fwork', isLocal: true }],
  ['http://192.168.1.5:8080', undefined],
  [null, undefined],
])('a page without encryption leads to the same screen of %s where that is safe', (serviceUrl, address) => {
  expect(secureAddress(serviceUrl, here)).toEqual(address)
})
