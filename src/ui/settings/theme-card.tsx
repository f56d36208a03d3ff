import { chooseTheme, type Theme, themes, useTheme } from './theme.ts'

const words: Readonly<Record<Theme, string>> = { auto: 'As the system', light: 'Light', dark: 'Dark' }

/** Light, dark, or as the system is. */
export const ThemeCard = () => {
  const theme = useTheme()
  return (
    <section class="card" aria-label="Appearance">
      <h3>Appearance</h3>
      <fieldset class="choices">
        <legend class="unseen">Theme</legend>
        {themes.map((it) => (
          <label key={it}>
            <input type="radio" name="theme" value={it} checked={it === theme} onChange={() => chooseTheme(it)} />
            {words[it]}
          </label>
        ))}
      </fieldset>
      <p class="about">Kept in this browser. Exports are always on white paper.</p>
    </section>
  )
}
