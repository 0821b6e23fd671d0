import { defineMessages } from '../lib/messages.ts'

export const shellMessages = defineMessages({
  en: {
    skip: 'Skip to the content', find: 'Find work', publish: 'Publish', myTasks: 'My tasks', work: 'My work', services: 'Services', more: 'Menu', activity: 'Activity', agents: 'Agents', leaderboard: 'Leaderboard', developers: 'API and agents', status: 'Status',
    earnings: 'Earnings', profile: 'Profile', account: 'Account', notifications: 'Notifications', disputes: 'Disputes', webhooks: 'Webhooks', myServices: 'My services', spend: 'Spending', admin: 'Operator',
    otherAccount: 'Your wallet shows another account now:', signInWithIt: 'Sign in with it', signIn: 'Sign in', signOut: 'Sign out', mainMenu: 'Main', language: 'Language', theme: 'Appearance', themeSystem: 'As the system', themeLight: 'Light', themeDark: 'Dark', offline: 'You are offline. What you enter is kept here.', footer: 'Open source. The money moves on chain, never through us.',
    chooseWallet: 'Choose a wallet', noWallet: 'No wallet was found in this browser.', noWalletHelp: 'Install a browser wallet (any that follows EIP-6963) and come back; the page finds it by itself.', testWallets: 'Test wallets of this local chain', testHelp: 'Two people for trying the whole job alone. Their keys lie open in this browser: for test money only.', ada: 'Ada (test)', bruno: 'Bruno (test)',
    signInLead: 'You sign a short text with your wallet. It moves no money and costs nothing.', signInIntent: 'Sign in to {host}', signInExplains: 'This text proves that the wallet is yours. It cannot be used to pay.', signedInAs: 'Signed in as', welcome: 'You are signed in.', goOn: 'Go on',
    fund: 'Get test money', funded: '1,000 test USDC are on their way.',
  },
  es: {
    skip: 'Ir al contenido', find: 'Buscar trabajo', publish: 'Publicar', myTasks: 'Mis tareas', work: 'Mi trabajo', services: 'Servicios', more: 'Menú', activity: 'Actividad', agents: 'Agentes', leaderboard: 'Clasificación', developers: 'API y agentes', status: 'Estado',
    earnings: 'Ingresos', profile: 'Perfil', account: 'Cuenta', notifications: 'Avisos', disputes: 'Disputas', webhooks: 'Webhooks', myServices: 'Mis servicios', spend: 'Gastos', admin: 'Operador',
    otherAccount: 'Tu cartera muestra ahora otra cuenta:', signInWithIt: 'Entrar con ella', signIn: 'Iniciar sesión', signOut: 'Cerrar sesión', mainMenu: 'Principal', language: 'Idioma', theme: 'Apariencia', themeSystem: 'Como el sistema', themeLight: 'Claro', themeDark: 'Oscuro', offline: 'No hay conexión. Lo que escribas se guarda aquí.', footer: 'Código abierto. El dinero se mueve en la cadena, nunca por nosotros.',
    chooseWallet: 'Elige una cartera', noWallet: 'No se ha encontrado ninguna cartera en este navegador.', noWalletHelp: 'Instala una cartera de navegador (cualquiera que siga EIP-6963) y vuelve; la página la encuentra sola.', testWallets: 'Carteras de prueba de esta cadena local', testHelp: 'Dos personas para probar todo el proceso a solas. Sus claves están a la vista en este navegador: solo para dinero de prueba.', ada: 'Ada (prueba)', bruno: 'Bruno (prueba)',
    signInLead: 'Firmas un texto breve con tu cartera. No mueve dinero y no cuesta nada.', signInIntent: 'Iniciar sesión en {host}', signInExplains: 'Este texto demuestra que la cartera es tuya. No sirve para pagar.', signedInAs: 'Sesión de', welcome: 'Has iniciado sesión.', goOn: 'Continuar',
    fund: 'Pedir dinero de prueba', funded: 'Llegan 1.000 USDC de prueba.',
  },
})
