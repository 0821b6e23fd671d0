import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { createSmtpMailer, type Sent } from '../../src/delivery/smtp-mailer.ts'
import { readMail, startMailServer, type MailServer, type MailTls } from './mail-server.ts'

/** Good for localhost and for a hundred years; nothing is protected by it. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxu5KsrSUf5qhkJEO
MM5+HLfmUHDKMujou+GfhrxKw4+hRANCAASzmwnl7W2n1u+nMZKyf/mThz6G7DNe
TNKQihWXPOmM/dJrOineRK9CwFZcmIlqgSkIw9Mhpsi82C8PGYyZmrzk
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUFByjO0aIUyzVjUqdA4kO8Ed17WMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzExNDI1N1oYDzIxMjYxMTAz
MTE0MjU3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASzmwnl7W2n1u+nMZKyf/mThz6G7DNeTNKQihWXPOmM/dJrOineRK9C
wFZcmIlqgSkIw9Mhpsi82C8PGYyZmrzko2kwZzAdBgNVHQ4EFgQU0Pq++0uPQLkT
fVun7a1kthGqc2MwHwYDVR0jBBgwFoAU0Pq++0uPQLkTfVun7a1kthGqc2MwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgfHVOL0Nidxl64a/m1Y8Wt5WTiyd/6Kb0600aCbTf7V0CIHxMYq62ae1R
KLXkQRJxcNitY89gNkoKUTcxclHJhAFu
-----END CERTIFICATE-----`

const trusted = getCACertificates('default')
afterEach(() => {
  setDefaultCACertificates(trusted)
})
const letter = {
  to: 'marta@mail.test',
  subject: 'There is news of a payment',
  text: 'Open the app.',
  html: '<p>Open the app.</p>',
  messageId: '<one@market.test>',
  stopUrl: 'https://market.test/mail/stop',
}
async function send(server: MailServer, tls: MailTls['as'], host = 'localhost'): Promise<Sent> {
  const login = { user: 'notices', password: 'a long secret' }
  using mailer = createSmtpMailer({ host, port: server.port, tls, login, from: 'notices@market.test' })
  return await mailer.send(letter)
}
const verbsOf = ({ said }: MailServer): readonly string[] => said.map((line) => line.split(' ', 1)[0] ?? '')
/** What would be read on the way, were it not for TLS. */
const secrets = ['AUTH', 'MAIL', 'RCPT', 'DATA']

describe.each<MailTls['as']>(['at once', 'upgraded'])('A mail server that speaks TLS %s', (as) => {
  test('is sent the letter, with the login, once its certificate bears its name', async () => {
    setDefaultCACertificates([...trusted, cert])
    await using server = await startMailServer({ as, key, cert })
    expect(await send(server, as)).toEqual({ kind: 'taken' })
    expect(server.received.map((one) => readMail(one).headers.get('subject'))).toEqual([letter.subject])
    const plain = as === 'upgraded' ? ['EHLO', 'STARTTLS'] : []
    expect(verbsOf(server).slice(0, 6)).toEqual([...plain, 'EHLO', ...secrets].slice(0, 6))
  })

  test('and has a certificate that nobody vouches for is told neither the login nor the letter', async () => {
    await using server = await startMailServer({ as, key, cert })
    expect(await send(server, as)).toMatchObject({ kind: 'failed' })
    expect(verbsOf(server).filter((verb) => secrets.includes(verb))).toEqual([])
  })

  test('and has a certificate of another name is told neither', async () => {
    setDefaultCACertificates([...trusted, cert])
    await using server = await startMailServer({ as, key, cert })
    expect(await send(server, as, '127.0.0.1')).toMatchObject({ kind: 'failed' })
    expect(verbsOf(server).filter((verb) => secrets.includes(verb))).toEqual([])
  })
})
