import { defineMessages } from '../../lib/messages.ts'

export const signInMessages = defineMessages({
  en: {
    chooseWallet: 'Use a wallet you have',
    otherWallet: 'Use another wallet',
    noWallet: 'No other wallet is in this browser. Install one and come back: the page finds it by itself.',
    testWallets: 'Test wallets of this local chain',
    testHelp: 'Two people for trying the whole job alone. Their keys lie open in this browser: for test money only.',
    intent: 'Sign in to {host}',
    explains: 'This text proves that the wallet is yours. It cannot be used to pay.',
    again: 'Your session has ended. Sign in, and what you asked for goes on. Nothing you typed is lost.',
    before: 'You were signed in as',
    asked: '{wallet} was asked. Nothing opens? Look in the wallet itself.',
  },
  es: {
    chooseWallet: 'Usa una cartera que ya tengas',
    otherWallet: 'Usar otra cartera',
    noWallet: 'No hay otra cartera en este navegador. Instala una y vuelve: la página la encuentra sola.',
    testWallets: 'Carteras de prueba de esta cadena local',
    testHelp:
      'Dos personas para probar todo el proceso a solas. Sus claves están a la vista en este navegador: solo para dinero de prueba.',
    intent: 'Iniciar sesión en {host}',
    explains: 'Este texto demuestra que la cartera es tuya. No sirve para pagar.',
    again:
      'Tu sesión ha terminado. Iníciala de nuevo y lo que has pedido sigue adelante. No se pierde nada de lo que has escrito.',
    before: 'Tenías la sesión iniciada con',
    asked: 'Se ha preguntado a {wallet}. ¿No se abre nada? Mira en la propia cartera.',
  },
})
