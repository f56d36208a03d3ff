// The colours that were chosen on the node's page, before anything is drawn, and that a script runs at all.
try {
  const theme = localStorage.getItem('tickmesh.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
} catch {
  // A browser that keeps nothing shows what the system has.
}
document.documentElement.classList.add('scripted')
