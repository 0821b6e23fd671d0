import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ErgonError } from '@ergon/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ToastProvider } from './components/toast.tsx'
import { SpeechProvider } from './lib/i18n.tsx'
import { provideDisposal } from './lib/disposal.ts'
import { createMarket, MarketProvider } from './lib/market.tsx'
import { createSignInDesk, SignInDeskProvider } from './lib/signing-in-again.tsx'
import { readSettings } from './lib/settings.ts'
import { SettingsProvider } from './lib/settings-context.tsx'
import { watchUpdates } from './offline/offline.ts'
import { UpdatesProvider } from './offline/update-note.tsx'
import { readTheme, showTheme } from './lib/theme.ts'
import { createAppRouter } from './router.tsx'
import { discoverWallets } from './wallet/discovery.ts'
import { passkeyWallets } from './wallet/passkey/passkey-wallet.ts'
import { createSigningDesk, isSameSubject } from './wallet/signing.ts'
import { testPersonas, testWallet } from './wallet/test-wallet.ts'
import { WalletsProvider } from './wallet/wallet.tsx'
import './styles/styles.css'

provideDisposal()
showTheme(readTheme())
const settings = readSettings(document)
// Test money exists on a local chain alone, and so do the wallets for it.
const further = settings.faucetUrl === null ? [] : testPersonas.map((persona) => testWallet(persona, persona))
const desk = createSigningDesk()
const own = passkeyWallets((provider, subject) => isSameSubject(desk.agreed(), provider, subject))
const wallets = { discovery: discoverWallets(window, further, own), desk }
const queries = new QueryClient({
  defaultOptions: {
    // The client underneath repeats what may be repeated; what it gives up on is shown.
    queries: {
      retry: false,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      throwOnError: (error) => !(error instanceof ErgonError),
    },
    // What is sent without a network fails and says so: held back, it would go out later, when its sender has given up.
    mutations: { networkMode: 'always' },
  },
})
// While the app is written, what the browser keeps would hide what was changed.
const worker = import.meta.env.PROD && 'serviceWorker' in navigator ? navigator.serviceWorker : undefined
const updates = watchUpdates(window, worker)
const element = document.getElementById('app')
if (element === null) throw new Error('the page has no place for the app')
const root = createRoot(element)
// The first screen is drawn in slices: the page listens to whoever touches it meanwhile.
startTransition(() => {
  root.render(
    <StrictMode>
      <SettingsProvider settings={settings}>
        <SpeechProvider>
          <QueryClientProvider client={queries}>
            <MarketProvider market={createMarket(location.origin)}>
              <SignInDeskProvider desk={createSignInDesk()}>
                <WalletsProvider wallets={wallets}>
                  <ToastProvider>
                    <UpdatesProvider updates={updates}>
                      <RouterProvider router={createAppRouter()} />
                    </UpdatesProvider>
                  </ToastProvider>
                </WalletsProvider>
              </SignInDeskProvider>
            </MarketProvider>
          </QueryClientProvider>
        </SpeechProvider>
      </SettingsProvider>
    </StrictMode>,
  )
})
