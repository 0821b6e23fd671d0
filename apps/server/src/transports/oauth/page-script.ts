/**
 * What a browser with a wallet adds to the consent page: it fills in the account, asks the wallet to sign the text that
 * is shown, and notices a signature that came from elsewhere. Without it the page works by typing and pasting.
 */
export const pageScript = `
'use strict'
const wallets = new Map()
const slot = document.querySelector('[data-wallets]')
const goOn = 'oauth-signed-here'

const hexOf = (text) =>
  '0x' + [...new TextEncoder().encode(text)].map((one) => one.toString(16).padStart(2, '0')).join('')
const say = (text) => {
  const place = document.querySelector('[data-said]')
  if (place) { place.textContent = text; place.hidden = text === '' }
}

async function account(provider) {
  const found = await provider.request({ method: 'eth_requestAccounts' })
  if (!found || !found[0]) throw new Error('no account')
  return found[0]
}

async function asked(provider, message) {
  const from = slot.dataset.account
  if (slot.dataset.wallets === 'sign') return { method: 'personal_sign', params: [hexOf(message), from] }
  const chainId = '0x' + JSON.parse(message).domain.chainId.toString(16)
  // A wallet signs for the network that it is on.
  await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }).catch(() => null)
  return { method: 'eth_signTypedData_v4', params: [from, message] }
}

async function use(provider) {
  say('')
  try {
    if (slot.dataset.wallets === 'choose') {
      const chosen = await account(provider)
      document.querySelector('#address').value = chosen
      const chain = document.querySelector('#chain')
      const current = await provider.request({ method: 'eth_chainId' }).catch(() => '')
      const id = String(parseInt(current, 16))
      if (chain && [...chain.options].some((one) => one.value === id)) chain.value = id
    } else {
      await account(provider)
      const message = document.querySelector('#text').textContent
      const signature = await provider.request(await asked(provider, message))
      document.querySelector('#signature').value = signature
      document.querySelector('#sign').requestSubmit()
    }
  } catch {
    say(slot.dataset.refused)
  }
}

function offer(key, name, icon, provider) {
  if (wallets.has(key) || wallets.size > 20) return
  wallets.set(key, provider)
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'plain'
  if (typeof icon === 'string' && icon.startsWith('data:image/')) {
    const picture = document.createElement('img')
    picture.src = icon
    picture.alt = ''
    picture.width = picture.height = 20
    button.append(picture, ' ')
  }
  button.append(slot.dataset.with + ' ' + String(name).slice(0, 40))
  button.addEventListener('click', () => use(provider))
  slot.append(button)
  slot.hidden = false
}

if (slot) {
  window.addEventListener('eip6963:announceProvider', ({ detail }) => {
    if (!detail || !detail.info || !detail.provider) return
    offer(detail.info.uuid, detail.info.name, detail.info.icon, detail.provider)
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  setTimeout(() => {
    if (wallets.size === 0 && window.ethereum) offer('injected', slot.dataset.other, '', window.ethereum)
  }, 300)
}

const form = document.querySelector('#sign')
if (form) {
  form.addEventListener('submit', () => sessionStorage.setItem(goOn, form.dataset.rid))
  const look = async () => {
    if (!form.dataset.status) return
    const answer = await fetch(form.dataset.status, { headers: { accept: 'application/json' } }).catch(() => null)
    const told = answer && answer.ok ? await answer.json() : {}
    const state = told[form.dataset.waits || 'status']
    // A sign-in that is over has a page that says so.
    const isOver = answer && answer.status === 404
    if (!isOver && (state === undefined || state === 'open')) setTimeout(look, 2000)
    else location.assign(form.dataset.page)
  }
  setTimeout(look, 2000)
}

const next = document.querySelector('#continue')
if (next && sessionStorage.getItem(goOn) === next.dataset.rid) {
  sessionStorage.removeItem(goOn)
  location.assign(next.href)
}
`
