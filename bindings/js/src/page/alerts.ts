/**
 * Tells a person who looks elsewhere that a question has come: with a notification of the browser, and with a sound.
 * Both need a click of the person first. A notification names the server and says nothing of what it asks, because
 * other people may see the screen.
 */
export class Alerts {
  private sound: AudioContext | undefined;

  /** Whether the person can still be asked for permission. */
  get canAsk(): boolean {
    return typeof Notification !== "undefined" && Notification.permission === "default";
  }

  /** Asks for permission. It must be called in a click, and the sound may play from then on. */
  async ask(): Promise<boolean> {
    try {
      this.sound = new AudioContext();
    } catch {
      // Without a device there is no sound, and the notification still comes.
    }
    return (await Notification.requestPermission()) === "granted";
  }

  /** Tells of a question, unless the person is looking at the page. */
  tell(title: string, body: string): void {
    if (document.visibilityState === "visible" && document.hasFocus()) return;
    this.play();
    if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
    try {
      const note = new Notification(title, { body, tag: "elicit", icon: "icon.svg" });
      note.onclick = (): void => {
        window.focus();
        note.close();
      };
    } catch {
      // Some phones show notifications only for a service worker, and this page has none.
    }
  }

  /** Plays two short tones. */
  private play(): void {
    const { sound } = this;
    if (sound === undefined || sound.state !== "running") return;
    [660, 880].forEach((frequency, i) => {
      const [tone, volume] = [sound.createOscillator(), sound.createGain()];
      const start = sound.currentTime + i * 0.15;
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0.08, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.14);
      tone.connect(volume).connect(sound.destination);
      tone.start(start);
      tone.stop(start + 0.15);
    });
  }
}
