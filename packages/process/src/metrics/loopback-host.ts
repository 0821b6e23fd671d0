import { isIP } from 'node:net'

/** Whether only this machine reaches a listener at that host. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
