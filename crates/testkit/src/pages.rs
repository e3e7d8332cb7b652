//! Difficult pages, each named after its difficulty and as short as it allows; served under `/pages/`.

macro_rules! pages {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("../pages/", $name)))),*] };
}

/// Every difficult page and the scripts that some need: file name and text. In the text `{{HERE}}` and
/// `{{OTHER}}` stand for the origins of the server's two sites.
pub const PAGES: &[(&str, &str)] = pages![
    "act_basic.html",
    "act_busy_frame.html",
    "act_covered.html",
    "act_deeds.html",
    "act_deeds_far.html",
    "act_dropped.html",
    "act_file.html",
    "act_frame_covered.html",
    "act_frames_deep.html",
    "act_frames_mid.html",
    "act_goes_on.html",
    "act_goes_on_far.html",
    "act_going_frame.html",
    "act_hidden.html",
    "act_inner.html",
    "act_late.html",
    "act_moving.html",
    "act_nested_controls.html",
    "act_nested_scroll.html",
    "act_places.html",
    "act_places_far.html",
    "act_record.js",
    "act_races.html",
    "act_rerendered.html",
    "act_rewritten.html",
    "act_rtl.html",
    "act_sticky.html",
    "act_strangers.html",
    "act_swapped.html",
    "act_swapped_far.html",
    "act_swapped_parts.html",
    "act_transformed.html",
    "act_virtual_list.html",
    "alert_on_load.html",
    "alert_storm.html",
    "beforeunload.html",
    "closes_itself.html",
    "confirm_on_click.html",
    "dedicated_worker.html",
    "dedicated_worker.js",
    "download_link.html",
    "effect_animated.html",
    "effect_buttons.html",
    "effect_frames.html",
    "effect_inner.html",
    "effect_worker.js",
    "endless_alerts.html",
    "endless_confirms.html",
    "endless_script.html",
    "endless_script_on_click.html",
    "field_comboboxes.html",
    "field_dates.html",
    "field_files.html",
    "field_frames.html",
    "field_hostile.html",
    "field_inner.html",
    "field_keys.html",
    "field_lists.html",
    "field_record.js",
    "field_texts.html",
    "field_ticks.html",
    "frames_late.html",
    "frames_nested.html",
    "frames_nested_2.html",
    "frames_nested_3.html",
    "frames_nested_4.html",
    "frames_with_forms.html",
    "js_redirect_loop.html",
    "js_redirect_loop_back.html",
    "lone_surrogate_title.html",
    "look_app_shell.html",
    "look_clickable.html",
    "look_clobbered.html",
    "look_frames.html",
    "look_frames_transformed.html",
    "look_hidden.html",
    "look_in_frame.html",
    "look_modal.html",
    "look_odd_boxes.html",
    "look_off_screen.html",
    "look_patched_prototypes.html",
    "look_rtl.html",
    "look_shadow_roots.html",
    "look_watched.html",
    "look_zoom.html",
    "names_aria.html",
    "names_content.html",
    "names_hostile.html",
    "names_labels.html",
    "names_long.html",
    "names_pseudo_elements.html",
    "names_pseudo_selectors.html",
    "names_spacing.html",
    "new_tab_link.html",
    "plain.html",
    "popups_100.html",
    "prompt_on_click.html",
    "roles_aria.html",
    "roles_clickable.html",
    "roles_inputs.html",
    "roles_tables.html",
    "service_worker.html",
    "service_worker.js",
    "shadow_open_nested.html",
    "shared_worker.html",
    "shared_worker.js",
    "site_booking_form.html",
    "site_card_frame.html",
    "site_checkout.html",
    "site_consent_and_dialog.html",
    "site_dashboard.html",
    "site_errors.html",
    "site_frames.html",
    "site_login.html",
    "site_navigation_twins.html",
    "site_shop_listing.html",
    "spa_shop.html",
    "tall.html",
];

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs};

    use super::*;

    #[test]
    fn the_table_lists_every_file_of_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/pages");
        let files: BTreeSet<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let listed: BTreeSet<String> = PAGES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(files, listed);
    }

    #[test]
    fn pages_name_the_two_sites_only_by_placeholder() {
        for (name, text) in PAGES {
            assert!(!text.contains("http:") && !text.contains("https:"), "{name} names a fixed origin");
        }
    }
}
