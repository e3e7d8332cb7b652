//! What a download does to its context.

use legwork_cdp::protocol::browser;
use legwork_types::FrameId;

use super::{ContextKey, Effect, Happening, World, downloads::DownloadVerdict};

impl World {
    pub(super) fn download_began(&mut self, download: &browser::DownloadWillBegin) -> Vec<Effect> {
        let frame = FrameId::new(&*download.frame_id);
        let of_frame =
            self.tabs.values().find(|tab| tab.main == frame || tab.frames.session_of(&frame).is_some());
        // A download whose page is unknown (closed meanwhile) is nobody's.
        let Some(key) = of_frame.map(|tab| tab.context.clone()) else {
            return self.contexts.keys().map(|key| cancel(key, &download.guid)).collect();
        };
        let Some(context) = self.contexts.get_mut(&key) else { return vec![] };
        context.requests.download_came();
        match context.downloads.began(&download.guid, &download.suggested_filename.0) {
            DownloadVerdict::Cancel { why } => {
                context.happenings.add(Happening::DownloadStopped { why });
                vec![cancel(&key, &download.guid)]
            }
            DownloadVerdict::WaitAtMost(most) => {
                vec![Effect::WatchDownload { context: key, guid: download.guid.clone(), most }]
            }
            _ => vec![],
        }
    }

    pub(super) fn download_went(&mut self, progress: &browser::DownloadProgress) -> Vec<Effect> {
        let found = self.contexts.iter_mut().find(|(_, context)| context.downloads.knows(&progress.guid));
        let Some((key, context)) = found else { return vec![] };
        let guid = &progress.guid;
        match context.downloads.progressed(
            guid,
            progress.received_bytes,
            progress.total_bytes,
            &progress.state,
        ) {
            DownloadVerdict::Wait | DownloadVerdict::WaitAtMost(_) => vec![],
            DownloadVerdict::Cancel { why } => {
                context.happenings.add(Happening::DownloadStopped { why });
                vec![cancel(key, guid)]
            }
            DownloadVerdict::Discard => {
                context
                    .happenings
                    .add(Happening::DownloadStopped { why: "larger, longer or more than a download may be" });
                vec![Effect::DiscardDownload { folder: context.folder.clone(), guid: guid.clone() }]
            }
            DownloadVerdict::Dropped => {
                context.happenings.add(Happening::DownloadStopped { why: "cancelled" });
                vec![]
            }
            DownloadVerdict::Keep { name, bytes } => {
                let (context, folder) = (key.clone(), context.folder.clone());
                vec![Effect::KeepDownload { context, folder, guid: guid.clone(), name, bytes }]
            }
        }
    }

    /// A download has had its time.
    pub(crate) fn download_overdue(&mut self, key: &ContextKey, guid: &str) -> Vec<Effect> {
        let Some(context) = self.contexts.get_mut(key) else { return vec![] };
        match context.downloads.had_its_time(guid) {
            DownloadVerdict::Cancel { why } => {
                context.happenings.add(Happening::DownloadStopped { why });
                vec![cancel(key, guid)]
            }
            _ => vec![],
        }
    }

    /// A download has its name, or could not be given it.
    pub(crate) fn download_kept(&mut self, key: &ContextKey, kept: Result<(String, u64), &'static str>) {
        if let Some(context) = self.contexts.get_mut(key) {
            context.happenings.add(match kept {
                Ok((name, bytes)) => Happening::Downloaded { name, bytes },
                Err(why) => Happening::DownloadStopped { why },
            });
        }
    }
}

fn cancel(context: &ContextKey, guid: &str) -> Effect {
    Effect::CancelDownload { context: context.clone(), guid: guid.to_owned() }
}
