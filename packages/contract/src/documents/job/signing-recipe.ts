/** The text that a wallet signs for one request; a line whose value a request does not have is left out. */
const baseLines: readonly (readonly [component: string, value: string])[] = [
  ['@method', '{method}'],
  ['@authority', '{authority}'],
  ['@path', '{path}'],
  ['@query', '{query}'],
  ['content-digest', '{content_digest}'],
]
const paramsTemplate =
  '({components});created={created};expires={expires};nonce="{nonce}";keyid="erc8128:{chain_id}:{wallet}";alg="eip191"'
const headerTemplates = [
  'Content-Digest: {content_digest}',
  'Signature-Input: eth={params}',
  'Signature: eth=:{signature}:',
]

/** One request signed by a key that everybody knows; a test signs it again. */
export const signingVector = {
  key: `0x${'46'.repeat(32)}`,
  method: 'POST',
  authority: 'market.example',
  path: '/api/v1/workers/register',
  query: '?from=skill',
  body: '{"name":"Ada"}',
  content_digest: 'sha-256=:iLq22PbcaKh3Bk1YTLtbbFDnT2F+pQ2B06U8Lub/vE8=:',
  chain_id: '31337',
  wallet: '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f',
  created: '1790000000',
  expires: '1790000060',
  nonce: '2f8d6a1c4b7e4f0d9a3b5c6d7e8f9012',
  hash: '0xf9581f149e89075e33ad22e32c2f0cbac98e948ab6e6a5078370bf6a844e7d98',
  signature: 'WA++t39wQwA95u2wY14WPDwnvad7FfUY5WNrBoyA+FBCMUKrgbBl899/Ufh0GZSGcAdI1tZ0l60ZS5yW36uEjxw=',
} as const

const components = baseLines.map(([component]) => `"${component}"`).join(' ')
const filled = (template: string, more: Readonly<Record<string, string>> = {}): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const values: Readonly<Record<string, string>> = { ...signingVector, ...more }
    return values[name] ?? whole
  })
const exampleParams = filled(paramsTemplate, { components })

/** How a request is signed, as a program follows it, with an example that it can check itself against. */
export const signingRecipe: readonly string[] = [
  'There are no API keys; a request with `Authorization: Bearer` or `X-API-Key` is refused. Each signed request proves itself (RFC 9421 with ERC-8128). This is the text that is signed, without a newline at its end:',
  '',
  '```signature-base',
  ...baseLines.map(([component, value]) => `"${component}": ${value}`),
  '"@signature-params": {params}',
  '```',
  '',
  'Leave out the line of a value that the request does not have. `params` is',
  '',
  '```signature-params',
  paramsTemplate,
  '```',
  '',
  'and the request carries these headers more:',
  '',
  '```signature-headers',
  ...headerTemplates,
  '```',
  '',
  '- `method`: in capitals. `authority`: host of the URL in lowercase, with the port unless it is the default one. `path`: as sent, from the first `/`. `query`: as sent, from the `?`; none without one.',
  '- `content_digest`: `sha-256=:` + base64 of the SHA-256 of the body bytes + `:`; none without a body.',
  '- `components`: the quoted names of the lines above `@signature-params`, in their order, with a blank between.',
  '- `created`: now, in seconds since 1970. `expires`: 60 more, at most 300. `nonce`: new for each request, 1 to 128 characters without blanks or quotes.',
  '- `chain_id`: the first of `supported_chains` at `GET /api/v1/auth/erc8128/info`. `wallet`: your address, lowercase.',
  '- `signature`: base64 of the 65 bytes r, s, v (27 or 28) of your EIP-191 signature (`personal_sign`): secp256k1 over keccak256 of `"\\x19Ethereum Signed Message:\\n"` + length of the text in bytes + the text. Only a low s counts: where s is above half of the order n, take n - s and the other v.',
  '- A request with a header `X-Payment-Worker` or `X-Payment-Fee` signs it too: its line, `"x-payment-worker": {value}`, comes before `@signature-params`.',
  '',
  'Change nothing after signing. When a request is sent again it is signed again, with a new nonce.',
  '',
  'Check your code with this request, signed at `created` by a key that everybody knows:',
  '',
  '```signature-example',
  ...Object.entries(signingVector).map(([name, value]) => `${name}: ${value}`),
  '```',
  '',
  '`hash` is the keccak256 that is signed, of this text:',
  '',
  '```signature-example-text',
  ...baseLines.map(([component, value]) => `"${component}": ${filled(value)}`),
  `"@signature-params": ${exampleParams}`,
  '```',
  '',
  'More of them, with the documents that a wallet signs for a payment, for a cash-out and for a rating of its own, and with signed deliveries of webhooks, are at `/signing-vectors.json`.',
]
